// expect: verified
// broken: error kind=use-after-free line=28
// A stack whose nodes are freed only when no thread has announced that it looks at them. With
// -DBROKEN: The thread does not look again whether the node is still the head after it has
// announced that it looks at it.
#include <atomic>
#include <thread>

struct node {
	node *next;
};

static std::atomic<node *> head;
static std::atomic<node *> hazard;

// Pops a node, protected from being freed, and returns it.
static node *pop_protected()
{
	for (;;) {
		node *top = head;
		if (!top)
			return nullptr;
		hazard = top;
#ifndef BROKEN
		if (head != top)
			continue;
#endif
		if (head.compare_exchange_strong(top, top->next))
			return top;
	}
}

static void replace()
{
	node *top = head;
	if (!top || !head.compare_exchange_strong(top, nullptr))
		return;
	if (hazard != top) {
		delete top;
		top = new node{nullptr};
	}
	head = top;
}

int main()
{
	head = new node{nullptr};
	node *popped = nullptr;
	std::thread other([&] {
		popped = pop_protected();
		hazard = nullptr;
	});
	replace();
	other.join();
	delete popped;
	delete head.load();
}
