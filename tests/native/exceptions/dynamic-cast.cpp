#include <cstdio>
#include <typeinfo>
struct V { virtual ~V() {} };
struct A : virtual V { int a = 1; };
struct B : virtual V { int b = 2; };
struct C : A, B {};
struct D : V {};
int main() {
	C c;
	V *v = &c;
	printf("%d %d\n", dynamic_cast<A *>(v)->a, dynamic_cast<B *>(v)->b);
	printf("%d\n", dynamic_cast<D *>(v) == nullptr);
	A *a = &c;
	printf("%d\n", dynamic_cast<B *>(a)->b);
	printf("%d\n", dynamic_cast<void *>(a) == &c);
	try { dynamic_cast<D &>(*v); } catch (std::bad_cast &) { puts("bad cast"); }
}
