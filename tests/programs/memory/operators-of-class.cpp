// expect: verified
// broken: error kind=invalid-free line=38 message="with delete, but malloc allocated it"
// A class brings operators of its own, and objects are made in memory that was there before.
#include <cstdlib>
#include <memory>
#include <new>

struct Own {
	int value;
	static void *operator new(std::size_t n) { return std::malloc(n); }
	static void operator delete(void *p) { std::free(p); }
	static void *operator new[](std::size_t n) { return ::operator new(n); }
	static void operator delete[](void *p) { ::operator delete(p); }
};

struct Pair {
	int first, second;
	~Pair() { first = 0; }
};

int main()
{
	delete new Own{1};
	delete[] new Own[2];

	alignas(Pair) char room[sizeof(Pair)];
	Pair *pair = new (room) Pair{1, 2};
	pair->~Pair();

	void *raw = ::operator new(sizeof(Pair));
	delete new (raw) Pair{1, 2};

	delete[] new Pair[2]{};
	auto shared = std::make_shared<Pair[]>(2);

#ifdef BROKEN
	Own *own = new Own{1};
	::delete own;
#endif
	return 0;
}
