// expect: error kind=invalid-shift line=5
int main(void)
{
	volatile int n = -1;
	return 8 >> n;
}
