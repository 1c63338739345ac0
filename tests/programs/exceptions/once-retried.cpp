// expect: verified
#include <cassert>
#include <mutex>
static int tries;
int main()
{
	std::once_flag once;
	for (int i = 0; i < 3; i++)
		try { std::call_once(once, [] { if (++tries < 2) throw 1; }); } catch (int) {}
	assert(tries == 2);
}
