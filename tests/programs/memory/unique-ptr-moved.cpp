// expect: error kind=null-dereference line=9
#include <memory>
#include <utility>

int main()
{
	auto a = std::make_unique<int>(1);
	auto b = std::move(a);
	return *a;
}
