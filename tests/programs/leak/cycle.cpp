// expect: verified
// broken: error kind=memory-leak
// With -DBROKEN: Two shared pointers keep each other alive.
#include <memory>

struct Node {
#ifdef BROKEN
	std::shared_ptr<Node> other;
#else
	std::shared_ptr<Node> strong;
	std::weak_ptr<Node> weak;
#endif
};

int main()
{
	auto a = std::make_shared<Node>();
	auto b = std::make_shared<Node>();
#ifdef BROKEN
	a->other = b;
	b->other = a;
	return 0;
#else
	a->strong = b;
	b->weak = a;
	return b->weak.lock() == a ? 0 : 1;
#endif
}
