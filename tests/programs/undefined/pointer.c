// expect: error kind=undefined-value line=5
int main(void)
{
	int *p, **pp = &p;
	return **pp;
}
