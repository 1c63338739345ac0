// expect: verified
#include <exception>
int main()
{
	int *p;
	std::exception_ptr kept;
	try { throw 5; } catch (int &i) { p = &i; kept = std::current_exception(); }
	return *p - 5;
}
