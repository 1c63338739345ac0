#include <cstdio>
#include <cstdint>
struct alignas(16) A { long n[2]; };
int main() { try { throw A{{1, 2}}; } catch (A &a) { printf("%d %ld\n", (int)((uintptr_t)&a % 16), a.n[1]); } }
