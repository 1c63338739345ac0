// expect: verified
// The input with which the event would not come is assumed away.
#include <impasse.h>
#include <impasse/section.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int event;

static void *work(void *arg)
{
	int input = impasse_choose(2);
	impasse_assume(input == 1);
	if (input)
		event = 1;
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	impasse_wait_begin(&event);
	while (!event) {
	}
	impasse_wait_end(&event);
	pthread_join(t, 0);
	return 0;
}
