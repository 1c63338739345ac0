// expect: error kind=data-race line=19
// Two threads start threads, whose ids they store in the same variable.
#include <pthread.h>

#ifdef APART
static pthread_t ids[2];
#else
static pthread_t ids[1];
#endif

static void *end(void *none)
{
	return none;
}

static void *start(void *own)
{
	pthread_t *id = own;
	pthread_create(id, 0, end, 0);
	pthread_detach(pthread_self());
	return 0;
}

int main(void)
{
	pthread_t starters[2];
	pthread_create(&starters[0], 0, start, &ids[0]);
	pthread_create(&starters[1], 0, start, &ids[sizeof ids / sizeof *ids - 1]);
	pthread_exit(0);
}
