// expect: error kind=undefined-value
// The process ends with a status that depends on an undefined value.
int main(void)
{
	int x, *p = &x;
	return *p;
}
