// expect: error kind=memory-leak
static void f() { throw 1; }
static void g() { int *p = new int; f(); delete p; }
int main() { try { g(); } catch (int) {} }
