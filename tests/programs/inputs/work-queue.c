// expect: verified
// broken: error kind=assertion line=41
// Workers take the jobs of the highest priority first, whatever the priorities are. With -DBROKEN: The comparison is
// without sign.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

#define JOBS 3

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int priority[JOBS], done[JOBS];

#ifdef BROKEN
#define IS_HIGHER(a, b) ((unsigned)(a) > (unsigned)(b))
#else
#define IS_HIGHER(a, b) ((a) > (b))
#endif

static int take(void)
{
	int best = -1;
	for (int i = 0; i < JOBS; i++)
		if (!done[i] && (best < 0 || IS_HIGHER(priority[i], priority[best])))
			best = i;
	return best;
}

static void *work(void *argument)
{
	for (;;) {
		pthread_mutex_lock(&mutex);
		int job = take();
		if (job < 0) {
			pthread_mutex_unlock(&mutex);
			return argument;
		}
		for (int i = 0; i < JOBS; i++)
			if (!done[i])
				assert(priority[i] <= priority[job]);
		done[job] = 1;
		pthread_mutex_unlock(&mutex);
	}
}

int main(void)
{
	pthread_t workers[2];
	for (int i = 0; i < JOBS; i++)
		priority[i] = __VERIFIER_nondet_int();
	for (int i = 0; i < 2; i++)
		pthread_create(&workers[i], 0, work, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(workers[i], 0);
	return 0;
}
