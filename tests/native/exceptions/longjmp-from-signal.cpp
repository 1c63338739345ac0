#include <cstdio>
#include <csetjmp>
#include <csignal>
static jmp_buf b;
static void handler(int) { longjmp(b, 9); }
int main() {
	signal(SIGUSR1, handler);
	if (int r = setjmp(b)) { printf("%d\n", r); return 0; }
	raise(SIGUSR1);
	puts("wrong");
}
