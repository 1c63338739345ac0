#include <cstdio>
template <int N> struct Error { int value = N; };
template <int N> static int f(int n) {
	try {
		if (n == N) throw Error<N>();
		if constexpr (N > 0) return f<N - 1>(n);
		return -1;
	} catch (Error<N> &e) { return e.value * 10; }
}
int main() { for (int i = 0; i < 6; i++) printf("%d\n", f<4>(i)); }
