// expect: verified
// flags: --leaks off
// With a count of changes, the exchange fails when the address is used again.
#include <atomic>
#include <cstdint>
#include <thread>

struct node {
	node *next;
};

// The address and how often it was changed, exchanged together.
struct top {
	node *first;
	std::uint64_t changes;
};

static std::atomic<top> head;
static std::atomic<bool> has_read;

static void pops()
{
	top before = head;
	node *next = before.first->next;
	has_read = true;
	if (head.compare_exchange_strong(before, {next, before.changes + 1})) {
		before = head;
		if (before.first)
			head.compare_exchange_strong(before, {before.first->next, before.changes + 1});
	}
}

int main()
{
	node *second = new node{nullptr};
	node *first = new node{second};
	head = top{first, 0};
	std::thread other(pops);
	while (!has_read)
		;
	top before{first, 0};
	if (head.compare_exchange_strong(before, {second, 1})) {
		delete first;
		before = {second, 1};
		if (head.compare_exchange_strong(before, {nullptr, 2}))
			head = top{new node{nullptr}, 3};
	}
	other.join();
}
