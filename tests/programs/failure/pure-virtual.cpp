// expect: error kind=invalid-call line=5 message="calls a pure virtual function"
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
