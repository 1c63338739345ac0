// expect: error kind=out-of-bounds line=7
// A local array is overrun although other locals lie next to it.
int main(void)
{
	int before = 1, a[3] = {0, 0, 0}, after = 2;
	int *p = a;
	p[3] = 7;
	return before + after == 3 ? 0 : 1;
}
