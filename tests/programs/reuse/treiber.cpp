// expect: error kind=use-after-free line=27
// flags: --leaks off
// The ABA problem of a stack whose nodes are freed: the head is the same address again, and its old
// successor is gone. Reading a freed node is prevented here: each thread reads before it lets
// others free.
#include <atomic>
#include <thread>

struct node {
	node *next;
};

static std::atomic<node *> head;
static std::atomic<bool> has_read;

static void pops()
{
	node *top = head;
	node *next = top->next;
	has_read = true;
	if (head.compare_exchange_strong(top, next)) {
		if (next == nullptr)
			return;
		// The successor is the head now.
		node *second = head;
		if (second)
			head = second->next;
	}
}

int main()
{
	node *second = new node{nullptr};
	node *first = new node{second};
	head = first;
	std::thread other(pops);
	while (!has_read)
		;
	if (head.compare_exchange_strong(first, second)) {
		// Pops the second one as well, and pushes a new one.
		delete first;
		node *expected = second;
		if (head.compare_exchange_strong(expected, nullptr)) {
			delete second;
			head = new node{nullptr};
		}
	}
	other.join();
}
