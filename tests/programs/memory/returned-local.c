// expect: error kind=use-after-return line=12
static int *get(int v)
{
	int local = v;
	int *p = &local;
	return p;
}

int main(void)
{
	int *p = get(4);
	return *p;
}
