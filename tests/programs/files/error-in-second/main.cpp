// expect: error kind=out-of-bounds line=6
// C and C++ together; the error is in the C file.
extern "C" int element(const int *a, int i);

int main()
{
	int a[3] = {1, 2, 3};
	return element(a, 3);
}
