// expect: error kind=data-race line=22|29
// Two threads join others, and store what these returned in the same variable.
#include <pthread.h>

#ifdef APART
static void *results[2];
#else
static void *results[1];
#endif
static pthread_t joined[2];

static void *end(void *none)
{
	return none;
}

static void *join_first(void *none)
{
#ifdef IGNORED
	pthread_join(joined[0], 0);
#else
	pthread_join(joined[0], &results[0]);
#endif
	return none;
}

static void *join_second(void *none)
{
	pthread_join(joined[1], &results[sizeof results / sizeof *results - 1]);
	return none;
}

int main(void)
{
	pthread_t joining[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&joined[i], 0, end, 0);
	pthread_create(&joining[0], 0, join_first, 0);
	pthread_create(&joining[1], 0, join_second, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(joining[i], 0);
}
