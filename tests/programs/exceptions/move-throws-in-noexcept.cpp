// expect: error kind=terminate
struct A { A() {} A(A &&) noexcept { f(); } static void f() { throw 1; } };
int main() { A a; try { A b = static_cast<A &&>(a); } catch (int) {} }
