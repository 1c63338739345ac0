// expect: error kind=use-after-free line=14
struct Base {
	virtual ~Base() = default;
	virtual int f() { return 1; }
};
struct Derived : Base {
	int f() override { return 2; }
};

int main()
{
	Base *b = new Derived;
	delete b;
	return b->f();
}
