// expect: verified
static int sum(int n)
{
	return n == 0 ? 0 : n + sum(n - 1);
}

int main(void)
{
	return sum(1000) != 500500;
}
