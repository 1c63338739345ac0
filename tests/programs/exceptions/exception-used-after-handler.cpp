// expect: error kind=use-after-free
int main()
{
	int *p;
	try { throw 5; } catch (int &i) { p = &i; }
	return *p;
}
