#include <cstdio>
#include <csetjmp>
static int f(int a) {
	jmp_buf b;
	int kept = a * 2;
	int other = a + 1;
	if (setjmp(b)) return kept + other;
	longjmp(b, 1);
}
int main() { printf("%d %d\n", f(3), f(10)); }
