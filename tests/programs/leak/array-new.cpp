// expect: error kind=memory-leak
struct Buffer {
	char *bytes = new char[16]();
	~Buffer() {}
};

int main()
{
	Buffer b;
	return b.bytes[0];
}
