// expect: verified
#include <atomic>
#include <cassert>
#include <thread>

struct Node { int value; Node *next; };
std::atomic<Node *> top{nullptr};

static void push(int v)
{
	Node *n = new Node{v, top.load()};
	while (!top.compare_exchange_weak(n->next, n))
		;
}

int main()
{
	std::thread t(push, 1);
	push(2);
	t.join();
	int sum = 0;
	for (Node *n = top; n;) {
		Node *next = n->next;
		sum += n->value;
		delete n;
		n = next;
	}
	assert(sum == 3);
	return 0;
}
