// expect: verified
struct Buffer {
	char *bytes = new char[16]();
	~Buffer() { delete[] bytes; }
};

int main()
{
	Buffer b;
	return b.bytes[0];
}
