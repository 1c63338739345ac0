// expect: verified
// broken: error kind=hang message="the program can never end"
// product: skip
// A server and its client: they never end, and always do something. With -DBROKEN: The server ends
// after its first answer, and the client asks again.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int request, answer;

static void *serve(void *unused)
{
#ifdef BROKEN
	while (!atomic_exchange(&request, 0));
	answer = 1;
#else
	for (;;)
		if (atomic_exchange(&request, 0))
			answer = 1;
#endif
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, serve, 0);
	for (;;) {
		request = 1;
		while (!atomic_exchange(&answer, 0));
	}
}
