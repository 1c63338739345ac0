#include <cstdio>
#include <csetjmp>
static jmp_buf where;
static void f(int n) { if (n == 0) longjmp(where, 42); f(n - 1); }
int main() {
	int fixed = 7;
	int r = setjmp(where);
	if (r == 0) { f(5); puts("wrong"); }
	printf("%d %d\n", r, fixed);
}
