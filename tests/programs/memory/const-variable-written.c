// expect: error kind=constant-write line=7
static const int limits[2] = {1, 2};

int main(void)
{
	int *p = (int *)limits;
	p[1] = 3;
	return limits[1];
}
