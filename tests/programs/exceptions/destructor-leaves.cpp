// expect: error kind=terminate
struct A { ~A() { throw 1; } };
int main() { try { A a; } catch (int) {} }
