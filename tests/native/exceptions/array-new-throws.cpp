#include <cstdio>
static int made;
struct A { int n; A() : n(made) { if (made == 3) throw n; made++; printf("+%d\n", n); } ~A() { printf("-%d\n", n); } };
int main() {
	try { delete[] new A[5]; } catch (int i) { printf("caught %d\n", i); }
	made = 1;
	try { A a[4]; } catch (int i) { printf("caught %d\n", i); }
}
