// expect: verified
// flags: --malloc-fail
#include <new>
static int calls;
int main()
{
	std::set_new_handler([] { calls++; std::set_new_handler(nullptr); });
	try { delete new int; } catch (std::bad_alloc &) {}
}
