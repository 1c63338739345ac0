#include <iostream>
#include <utility>

struct T {
	int id;
	static int next;
	T() : id(next++) { std::cout << 'c' << id; }
	T(const T &o) : id(next++) { std::cout << 'k' << o.id << id; }
	T(T &&o) noexcept : id(std::exchange(o.id, -1)) { std::cout << 'm' << id; }
	T &operator=(T o) { std::swap(id, o.id); std::cout << '='; return *this; }
	~T() { std::cout << 'd' << id; }
};
int T::next = 0;

static T make() { return T(); }
static T pass(T t) { return t; }

T global;

int main()
{
	T a;
	T b = a;
	T c = std::move(a);
	b = c;
	T d = make();
	T e = pass(std::move(d));
	const T &r = T();
	std::cout << r.id << '|';
	T array[2];
	{
		static T s;
		T *p = new T[2];
		delete[] p;
	}
	std::cout << '\n';
}
