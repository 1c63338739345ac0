// expect: verified
#include <cstdio>
#include <new>
static long length() { volatile long n = -1; return n; }
int main() {
	try { delete[] new int[length()]; } catch (std::bad_alloc &) { puts("bad alloc"); }
}
