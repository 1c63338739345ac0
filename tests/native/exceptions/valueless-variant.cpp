#include <cstdio>
#include <variant>
struct T { T() {} T(const T &) { throw 1; } };
int main() {
	std::variant<int, T> v = 3;
	try { T t; v.emplace<T>(t); } catch (int) { puts("thrown"); }
	printf("%d\n", v.valueless_by_exception());
}
