// expect: verified
// A stack without locks whose head carries a counter in the upper 16 bits, as
// Boost.Lockfree's does: nodes come back, and no thread mistakes one for the one that it saw.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <thread>

struct Node {
    int value;
    std::atomic<Node *> next;
};

class Tagged {
public:
    Tagged(Node *node, std::uint16_t tag) : bits(reinterpret_cast<std::uint64_t>(node))
    {
        std::memcpy(reinterpret_cast<char *>(&bits) + 6, &tag, sizeof tag);
    }
    Node *node() const { return reinterpret_cast<Node *>(bits & 0xffff'ffff'ffff); }
    std::uint16_t tag() const { return bits >> 48; }

private:
    std::uint64_t bits;
};

std::atomic<Tagged> head{Tagged{nullptr, 0}};
Node own[2];

void push(Node *node)
{
    Tagged old = head;
    do
        node->next = old.node();
    while (!head.compare_exchange_weak(old, Tagged{node, old.tag()}));
}

Node *pop()
{
    Tagged old = head;
    while (old.node()) {
        Tagged next{old.node()->next, static_cast<std::uint16_t>(old.tag() + 1)};
        if (head.compare_exchange_weak(old, next))
            return old.node();
    }
    return nullptr;
}

void take_and_put()
{
    if (Node *node = pop())
        push(node);
}

int main()
{
    Node *allocated = new Node{1, nullptr};
    own[0].value = 2;
    push(allocated);
    push(&own[0]);
    std::thread other(take_and_put);
    take_and_put();
    other.join();
    int sum = 0;
    while (Node *node = pop())
        sum += node->value;
    assert(sum == 3);
    delete allocated;
}
