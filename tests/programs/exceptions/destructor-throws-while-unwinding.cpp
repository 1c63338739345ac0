// expect: error kind=terminate
struct A { ~A() noexcept(false) { throw 1; } };
int main() { try { A a; throw 2; } catch (int) {} }
