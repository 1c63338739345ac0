// expect: error kind=null-dereference|invalid-call line=5
int main(void)
{
	void (*f)(void) = 0;
	f();
	return 0;
}
