// expect: error kind=abort line=16
// A handler of SIGABRT runs first, and abort ends the program all the same.
#include <signal.h>
#include <stdlib.h>

static volatile sig_atomic_t seen;

static void handler(int s)
{
	seen = s;
}

int main(void)
{
	signal(SIGABRT, handler);
	abort();
}
