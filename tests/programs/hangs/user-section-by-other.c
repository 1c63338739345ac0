// expect: verified
// broken: error kind=hang line=30|31|32|33|34 message="request"
// A section that one thread begins and another one ends: a request and its answer. With -DBROKEN: A
// section that one thread begins and another one ends, unless the request is put while the server
// is busy, and thrown away by it.
#include <impasse/section.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int request;

static void *serve(void *arg)
{
	for (;;)
		if (request) {
			request = 0;
			impasse_section_end(&request);
			*(atomic_int *)arg = 1;
#ifdef BROKEN
			request = 0;
#endif
		}
}

int main(void)
{
	static atomic_int answered;
	pthread_t t;
	pthread_create(&t, 0, serve, &answered);
	for (;;) {
		answered = 0;
		impasse_section_begin(&request);
		request = 1;
		while (!answered) {
		}
	}
}
