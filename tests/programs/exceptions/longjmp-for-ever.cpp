// expect: verified
// One that goes on for ever does something; it is no hang, and its steps end.
#include <csetjmp>
#include <thread>
int main()
{
	std::thread t([] {
		jmp_buf b;
		setjmp(b);
		longjmp(b, 1);
	});
	t.join();
}
