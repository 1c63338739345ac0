#include <cstdio>
#include <vector>
static int copies;
struct T { int n; T(int n) : n(n) {} T(const T &t) : n(t.n) { if (++copies == 5) throw 1; } };
int main() {
	std::vector<T> v;
	v.reserve(3);
	v.emplace_back(1); v.emplace_back(2); v.emplace_back(3);
	try { for (int i = 0; i < 3; i++) v.push_back(T(10 + i)); } catch (int) { puts("thrown"); }
	for (auto &t : v) printf("%d ", t.n);
	puts("");
}
