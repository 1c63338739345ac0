static int n = 2;

int other(void)
{
	return n;
}
