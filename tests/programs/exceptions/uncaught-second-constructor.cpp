// expect: error kind=uncaught-exception
struct A { int n; A(int n) : n(n) { if (n == 2) throw 1; } };
static A a(1), b(2), c(3);
int main() {}
