// expect: verified
#include <cassert>
#include <csetjmp>
#include <thread>
static void back(jmp_buf b, int n) { if (n == 0) longjmp(b, 5); back(b, n - 1); }
static void work()
{
	jmp_buf b;
	int kept = 3;
	if (int r = setjmp(b)) { assert(r + kept == 8); return; }
	back(b, 3);
}
int main() { std::thread t(work); work(); t.join(); }
