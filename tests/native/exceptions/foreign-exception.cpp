#include <cstdio>
#include <cstdlib>
#include <unwind.h>
static void cleanup(_Unwind_Reason_Code, _Unwind_Exception *e) { puts("deleted"); free(e); }
struct S { ~S() { puts("~S"); } };
static void raise_foreign() {
	auto *e = (_Unwind_Exception *)calloc(1, sizeof(_Unwind_Exception));
	e->exception_class = 0x1234;
	e->exception_cleanup = cleanup;
	S s;
	_Unwind_RaiseException(e);
	puts("wrong");
}
int main() {
	try { try { raise_foreign(); } catch (int) { puts("int"); } } catch (...) { puts("all"); }
}
