// expect: error
#include <csetjmp>
static jmp_buf b;
int main() { longjmp(b, 1); }
