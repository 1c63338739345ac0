// expect: verified
// flags: --malloc-fail --exit-code any
#include <new>
#include <vector>
int main()
{
	try { std::vector<int> v(10); v.push_back(1); } catch (std::bad_alloc &) { return 1; }
}
