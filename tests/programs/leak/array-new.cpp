// expect: verified
// broken: error kind=memory-leak
struct Buffer {
	char *bytes = new char[16]();
#ifdef BROKEN
	~Buffer() {}
#else
	~Buffer() { delete[] bytes; }
#endif
};

int main()
{
	Buffer b;
	return b.bytes[0];
}
