// expect: verified
// broken: error kind=assertion line=21
// An alarm comes before a longer sleep ends. With -DBROKEN, the sleep is as long: either comes first.
#include <assert.h>
#include <signal.h>
#include <unistd.h>
#ifdef BROKEN
enum { LENGTH = 1 };
#else
enum { LENGTH = 2 };
#endif
static volatile sig_atomic_t rang;
static void ring(int signal)
{
	rang = 1;
}
int main(void)
{
	signal(SIGALRM, ring);
	alarm(1);
	sleep(LENGTH), assert(rang);
}
