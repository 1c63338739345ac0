// expect: error kind=invalid-call
#include <csetjmp>
static jmp_buf b;
__attribute__((noinline)) static int f() { return setjmp(b); }
int main() { f(); longjmp(b, 1); }
