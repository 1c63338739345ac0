// expect: error kind=use-after-return
static void f() { int local = 1; throw &local; }
int main() { try { f(); } catch (int *p) { return *p; } }
