// expect: verified
// broken: error kind=invalid-free line=22 message="as 4 bytes, but it was allocated with 48"
// An object is deleted through its base, which needs a virtual destructor.
struct Base {
	int a = 1;
#ifndef BROKEN
	virtual ~Base() = default;
#endif
};

struct Derived : Base {
	long b[5];
};

#ifndef BROKEN
static_assert(sizeof(Derived) == 56);
#endif

int main()
{
	Base *base = new Derived;
	delete base;
	return 0;
}
