// expect: error kind=undefined-value line=5
int main(void)
{
	int x, *p = &x;
	switch (*p) {
	case 1: return 1;
	case 2: return 2;
	}
	return 0;
}
