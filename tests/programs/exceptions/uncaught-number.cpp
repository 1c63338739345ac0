// expect: error kind=uncaught-exception line=4
int main()
{
	throw 42;
}
