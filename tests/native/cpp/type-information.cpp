#include <iostream>
#include <typeinfo>
#include <typeindex>

struct A { virtual ~A() = default; };
struct B : A {};

int main()
{
	B b;
	A &a = b, plain;
	std::cout << (typeid(a) == typeid(B)) << (typeid(plain) == typeid(B)) << (typeid(int) == typeid(long)) << '\n';
	std::cout << typeid(int).name() << typeid(B).name() << (std::type_index(typeid(a)) == typeid(b)) << '\n';
}
