// expect: verified
#include <cassert>

struct Base {
	virtual ~Base() = default;
	virtual int f() const { return 1; }
};
struct Derived : Base {
	int f() const override { return 2; }
};

static int by_value(Base b) { return b.f(); }
static int by_reference(const Base &b) { return b.f(); }

int main()
{
	Derived d;
	assert(by_value(d) == 1 && by_reference(d) == 2);
	return 0;
}
