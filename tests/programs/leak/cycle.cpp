// expect: error kind=memory-leak
// Two shared pointers keep each other alive.
#include <memory>

struct Node {
	std::shared_ptr<Node> other;
};

int main()
{
	auto a = std::make_shared<Node>();
	auto b = std::make_shared<Node>();
	a->other = b;
	b->other = a;
	return 0;
}
