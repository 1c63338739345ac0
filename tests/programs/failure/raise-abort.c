// expect: error kind=abort line=6
#include <signal.h>

int main(void)
{
	raise(SIGABRT);
	return 0;
}
