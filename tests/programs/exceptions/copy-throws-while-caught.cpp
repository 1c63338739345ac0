// expect: error kind=terminate
struct A { A() {} A(const A &) { throw 1; } };
int main() { try { throw A(); } catch (A a) {} catch (int) {} }
