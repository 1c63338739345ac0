#include <cstdio>
#include <exception>
struct A { ~A() { try { printf("%d\n", std::uncaught_exceptions()); throw 'a'; } catch (char) { puts("inside"); } } };
int main() { try { A a; throw 1; } catch (int) { puts("outside"); } }
