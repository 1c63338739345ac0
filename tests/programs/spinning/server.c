// expect: verified
// branching: skip
// A server and its client: they never end, and always do something.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int request, answer;

static void *serve(void *unused)
{
	for (;;)
		if (atomic_exchange(&request, 0))
			answer = 1;
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
