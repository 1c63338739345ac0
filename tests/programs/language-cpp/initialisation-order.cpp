// expect: error kind=undefined-value|null-dereference line=13
// clang: -Wno-reorder
// Members are initialised in the order of their declarations.
struct Buffer {
	int length;
	int capacity;
	explicit Buffer(int n) : length(capacity / 2), capacity(n) {}
};

int main()
{
	Buffer b(4);
	if (b.length > 2)
		return 1;
	return 0;
}
