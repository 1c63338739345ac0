// expect: error kind=abort|terminate|invalid-call line=5
// A pure virtual function is called from the constructor.
struct Base {
	Base() { prepare(); }
	void prepare() { step(); }
	virtual void step() = 0;
	virtual ~Base() = default;
};

struct Derived : Base {
	void step() override {}
};

int main()
{
	Derived d;
	return 0;
}
