// clang: -std=c++14
#include <cstdio>
static void a(int n) throw(int) { throw n; }
static void b(int n) throw(int, char) { try { a(n); } catch (char) {} if (n < 0) throw 'b'; }
static void c(int n) throw(long, int) { b(n); }
int main() {
	try { c(4); } catch (int n) { printf("%d\n", n); }
}
