// expect: error kind=undefined-value line=8
struct flags { unsigned a : 3, b : 5; };

int main(void)
{
	struct flags f;
	f.b = 9;
	if (f.a == 1)
		return 0;
	return 1;
}
