#include <cstdio>
struct A { int n; A(int n) : n(n) { printf("+%d\n", n); if (n == 3) throw n; } ~A() { printf("-%d\n", n); } };
struct B { A a{1}, b{2}, c{3}, d{4}; };
int main() { try { B b; } catch (int i) { printf("caught %d\n", i); } }
