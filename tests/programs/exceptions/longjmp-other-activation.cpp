// expect: error kind=invalid-call
#include <csetjmp>
static jmp_buf b;
static void f(bool first) { if (first) { if (setjmp(b)) return; } else longjmp(b, 1); }
int main() { f(true); f(false); }
