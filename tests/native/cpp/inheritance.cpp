#include <iostream>

struct Animal {
	virtual ~Animal() { std::cout << "~A "; }
	virtual const char *sound() const { return "?"; }
	int legs = 4;
};
struct Swimmer {
	virtual ~Swimmer() { std::cout << "~S "; }
	virtual int depth() const = 0;
	long pressure = 3;
};
struct Duck : Animal, Swimmer {
	~Duck() override { std::cout << "~D "; }
	const char *sound() const override { return "quack"; }
	int depth() const override { return legs; }
	Duck() { legs = 2; }
};
struct Base { int b = 1; virtual ~Base() = default; virtual int id() { return 0; } };
struct L : virtual Base { int id() override { return b + 1; } };
struct R : virtual Base { int r = 5; };
struct D : L, R { int d = 7; };

int main()
{
	Animal *a = new Duck;
	Swimmer *s = dynamic_cast<Swimmer *>(a);
	std::cout << a->sound() << s->depth() << s->pressure << (dynamic_cast<Duck *>(s) == a) << ' ';
	delete s;
	D d;
	d.b = 10;
	R *r = &d;
	std::cout << r->id() << r->b << static_cast<L &>(d).b << (dynamic_cast<L *>(r) != nullptr) << ' ';
	Animal plain;
	std::cout << (dynamic_cast<Duck *>(&plain) == nullptr) << plain.sound() << '\n';
	int (Base::*pm)() = &Base::id;
	int Base::*pd = &Base::b;
	std::cout << (d.*pm)() << d.*pd << '\n';
}
