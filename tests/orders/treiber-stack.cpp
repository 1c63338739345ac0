// expect: verified
// Treiber's stack, whose nodes stay: a push releases its node, a pop acquires it.
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
    int value;
    Node *next;
};

static std::atomic<Node *> head;

static void push(Node *node)
{
    node->next = head.load(); // enough: relaxed
    while (!head.compare_exchange_weak(node->next, node)) // enough: release, relaxed
        ;
}

static Node *pop()
{
    Node *node = head.load(); // enough: acquire
    while (node && !head.compare_exchange_weak(node, node->next)) // enough: acquire, acquire
        ;
    return node;
}

int main()
{
    static Node nodes[2] = {{1, nullptr}, {2, nullptr}};
    std::thread other([] {
        nodes[0].value = 3;
        push(&nodes[0]);
    });
    nodes[1].value = 4;
    push(&nodes[1]);
    if (Node *node = pop())
        assert(node->value >= 3);
    other.join();
}
