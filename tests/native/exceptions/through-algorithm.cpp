#include <cstdio>
#include <algorithm>
#include <vector>
int main() {
	std::vector<int> v{3, 1, 2};
	try { std::for_each(v.begin(), v.end(), [](int n) { if (n == 1) throw n; printf("%d\n", n); }); } catch (int n) { printf("caught %d\n", n); }
	try { std::sort(v.begin(), v.end(), [](int, int) -> bool { throw 'c'; }); } catch (char) { puts("char"); }
}
