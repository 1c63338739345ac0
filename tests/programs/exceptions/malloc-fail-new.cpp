// expect: verified
// flags: --malloc-fail
#include <new>
#include <vector>
int main()
{
	try { std::vector<int> v(10); v.push_back(1); } catch (std::bad_alloc &) { return 1; }
}
