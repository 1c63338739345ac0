// expect: verified
#include <cstdio>
#include <unwind.h>
static _Unwind_Reason_Code count(_Unwind_Context *c, void *n) { if (_Unwind_GetIP(c)) ++*(int *)n; return _URC_NO_REASON; }
__attribute__((noinline)) static int depth() { int n = 0; _Unwind_Backtrace(count, &n); return n; }
__attribute__((noinline)) static int deeper(int d) { return d ? deeper(d - 1) + 0 * d : depth(); }
int main() { int a = depth(); int b = deeper(3); printf("%d\n", b > a); }
