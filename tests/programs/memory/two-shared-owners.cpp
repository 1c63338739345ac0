// expect: error kind=double-free|use-after-free|invalid-free
// Two control blocks for one object.
#include <memory>

int main()
{
	int *raw = new int(1);
	std::shared_ptr<int> a(raw);
	std::shared_ptr<int> b(raw);
	return 0;
}
