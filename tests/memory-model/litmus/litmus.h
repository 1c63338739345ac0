/* What litmus tests share. THREADS(f, g) is the whole of main: threads that run these functions. */
#include <impasse.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS(...) \
	int main(void) \
	{ \
		void *(*const threads[])(void *) = {__VA_ARGS__}; \
		enum { COUNT = sizeof threads / sizeof *threads }; \
		pthread_t ids[COUNT]; \
		for (int n = 0; n < COUNT; n++) \
			pthread_create(&ids[n], 0, threads[n], 0); \
		for (int n = 0; n < COUNT; n++) \
			pthread_join(ids[n], 0); \
	}
