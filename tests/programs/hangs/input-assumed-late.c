// expect: verified
// The input with which the event would not come is assumed away by another thread, later: what
// follows it does not count.
#include <impasse.h>
#include <impasse/section.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int event, input;

static void *work(void *arg)
{
	input = impasse_choose(2) + 1;
	if (input == 2)
		event = 1;
	return 0;
}

static void *rule(void *arg)
{
	int seen;
	do {
		seen = input;
	} while (!seen);
	impasse_assume(seen == 2);
	return 0;
}

int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, work, 0);
	pthread_create(&u, 0, rule, 0);
	impasse_wait_begin(&event);
	while (!event) {
	}
	impasse_wait_end(&event);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
