// expect: error kind=division-by-zero line=4
static unsigned mod(unsigned a, unsigned b)
{
	return a % b;
}

int main(void)
{
	return mod(7, 0);
}
