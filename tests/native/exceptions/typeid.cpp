#include <cstdio>
#include <typeinfo>
#include <typeindex>
#include <map>
struct A { virtual ~A() {} };
struct B : A {};
int main() {
	B b;
	A &a = b;
	printf("%d %d\n", typeid(a) == typeid(B), typeid(a) == typeid(A));
	A *null = nullptr;
	try { (void)typeid(*null).name(); } catch (std::bad_typeid &) { puts("bad typeid"); }
	std::map<std::type_index, int> m{{typeid(int), 1}, {typeid(A), 2}};
	printf("%d\n", m[typeid(A)]);
}
