// expect: verified
// broken: error kind=assertion line=49
// flags: -std=c++20
//
// A stack whose first node is an atomic smart pointer of C++20.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

struct Node {
	int value;
	std::shared_ptr<Node> next;
};

class Stack {
	std::atomic<std::shared_ptr<Node>> first;

public:
	void push(int value)
	{
		auto node = std::make_shared<Node>(value, first.load());
#ifdef BROKEN
		first.store(node);
#else
		while (!first.compare_exchange_weak(node->next, node)) {
		}
#endif
	}

	int pop()
	{
		auto node = first.load();
		while (node && !first.compare_exchange_strong(node, node->next)) {
		}
		return node ? node->value : 0;
	}
};

int main()
{
	Stack stack;
	std::thread other([&] { stack.push(1); });
	stack.push(2);
	int popped = stack.pop();
	assert(popped == 1 || popped == 2);
	other.join();
	int left = stack.pop();
	assert(popped + left == 3);
	return 0;
}
