// expect: error kind=terminate message="a destructor that another exception runs in main"
struct A { ~A() noexcept(false) { throw 1; } };
int main() { try { A a; throw 2; } catch (int) {} }
