// expect: error kind=uncaught-exception
struct A { A() { throw 1; } };
static A a;
int main() {}
