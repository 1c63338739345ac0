// expect: error kind=use-after-return
#include <csetjmp>
static jmp_buf b;
static int *p;
static void f() { int local = 1; p = &local; longjmp(b, 1); }
int main() { if (setjmp(b)) return *p; f(); }
