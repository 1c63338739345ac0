#include <cstdio>
#include <cstdlib>
#include <unwind.h>
struct S { int n; ~S() { printf("~%d\n", n); } };
static _Unwind_Exception e;
static _Unwind_Reason_Code stop(int, _Unwind_Action actions, _Unwind_Exception_Class, _Unwind_Exception *, _Unwind_Context *c, void *frame) {
	if (_Unwind_GetCFA(c) > (uintptr_t)frame || (actions & _UA_END_OF_STACK)) { puts("stop"); fflush(stdout); _Exit(0); }
	return _URC_NO_REASON;
}
static void f() { S s{1}; _Unwind_ForcedUnwind(&e, stop, (void *)~0UL); }
static void g() { S s{2}; f(); }
int main() { g(); }
