// expect: error kind=stack-overflow line=6|12
static int odd(unsigned n);

static int even(unsigned n)
{
	int r = n == 0 ? 1 : odd(n - 1);
	return r;
}

static int odd(unsigned n)
{
	int r = even(n - 1);
	return r;
}

int main(void)
{
	return even(7);
}
