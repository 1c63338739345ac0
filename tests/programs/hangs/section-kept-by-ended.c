// expect: error kind=hang message="request"
// A thread ends without ending its section, and is forgotten; the next one gets its number.
#include <impasse/section.h>
#include <pthread.h>

static int request;
static int rounds;

static void *work(void *arg)
{
	if (rounds == 0)
		impasse_section_begin(&request);
	rounds = 1;
	return 0;
}

int main(void)
{
	for (;;) {
		pthread_t t;
		pthread_create(&t, 0, work, 0);
		pthread_join(t, 0);
	}
}
