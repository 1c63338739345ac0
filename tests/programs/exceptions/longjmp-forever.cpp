// expect: error kind=hang line=12
// What goes on forever without doing anything is joined in vain; its steps end all the same.
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
