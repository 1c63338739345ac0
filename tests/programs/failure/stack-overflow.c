// expect: error kind=stack-overflow line=6
// Recursion without an end.
static int depth(int n)
{
	int here[4] = {n};
	return depth(here[0] + 1) + here[1];
}

int main(void)
{
	return depth(0);
}
