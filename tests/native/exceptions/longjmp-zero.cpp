#include <cstdio>
#include <csetjmp>
int main() {
	jmp_buf b;
	volatile int n = 0;
	int r = setjmp(b);
	printf("%d %d\n", r, n);
	if (++n == 1) longjmp(b, 0);
}
