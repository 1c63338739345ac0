// expect: verified
#include <atomic>
#include <cassert>
#include <csetjmp>
#include <thread>
static std::atomic<int> shared;
static void back(jmp_buf b) { shared++; longjmp(b, 1); }
static void work(int n)
{
	jmp_buf b;
	int kept = n * 2;
	if (setjmp(b)) { assert(kept == n * 2); return; }
	shared++;
	back(b);
}
int main() { std::thread t(work, 4); work(5); t.join(); assert(shared == 4); }
