// expect: verified
// broken: error kind=abort message="signal 14 ends the program"
// A watchdog that is stopped in time hurts nobody; one that is not ends the program.
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static void *work(void *unused)
{
	return unused;
}

int main(void)
{
#ifdef BROKEN
	alarm(2);
#endif
	pthread_t thread;
	pthread_create(&thread, 0, work, 0);
	pthread_join(thread, 0);
	alarm(0);
	return 0;
}
