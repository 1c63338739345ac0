// expect: error kind=out-of-bounds line=8
// Reads before the start of an array.
int a[4];

int main(void)
{
	int i = -1;
	return a[i];
}
