// expect: error kind=invalid-call
#include <csetjmp>
#include <thread>
static jmp_buf b;
int main()
{
	if (setjmp(b)) return 0;
	std::thread t([] { longjmp(b, 1); });
	t.join();
}
