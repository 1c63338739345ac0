// expect: error kind=hang line=23|26
// With one of two inputs the event never comes, with the other it does: that it can come is not
// enough.
#include <impasse.h>
#include <impasse/section.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int event;

static void *work(void *arg)
{
	if (impasse_choose(2))
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
