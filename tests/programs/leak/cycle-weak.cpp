// expect: verified
#include <memory>

struct Node {
	std::shared_ptr<Node> strong;
	std::weak_ptr<Node> weak;
};

int main()
{
	auto a = std::make_shared<Node>();
	auto b = std::make_shared<Node>();
	a->strong = b;
	b->weak = a;
	return b->weak.lock() == a ? 0 : 1;
}
