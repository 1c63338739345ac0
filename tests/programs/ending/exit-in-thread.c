// expect: error kind=exit-code line=8 message="exits with code 3"
// Any thread may end the program, also in a library function that never returns.
#include <pthread.h>
#include <stdlib.h>

static void *leave(void *unused)
{
	exit(3);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, leave, 0);
	pthread_join(thread, 0);
}
