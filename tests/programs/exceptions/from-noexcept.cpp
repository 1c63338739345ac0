// expect: error kind=terminate|uncaught-exception
// clang: -Wno-exceptions
static void careless() noexcept
{
	throw 1;
}

int main()
{
	try {
		careless();
	} catch (int) {
	}
	return 0;
}
