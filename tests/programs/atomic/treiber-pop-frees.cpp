// expect: error kind=use-after-free|data-race|double-free|memory-leak
// A popped node is freed while another thread still looks at it.
#include <atomic>
#include <thread>

struct Node { int value; Node *next; };
std::atomic<Node *> top{nullptr};

static void pop()
{
	Node *n = top.load();
	while (n && !top.compare_exchange_weak(n, n->next))
		;
	delete n;
}

int main()
{
	top = new Node{1, new Node{2, nullptr}};
	std::thread t(pop);
	pop();
	t.join();
	return 0;
}
