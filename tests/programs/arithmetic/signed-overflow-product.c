// expect: error kind=signed-overflow line=5
// flags: --signed-overflow
static int square(int x)
{
	return x * x;
}

int main(void)
{
	return square(1 << 16) == 1;
}
