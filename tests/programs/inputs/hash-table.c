// expect: verified
// broken: error kind=assertion line=58|62
// most-states: 3000
// Two threads insert keys into a table of open addressing: any two integers, of which a product
// selects the first place.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int keys[4], used[4];

static int place_of(int key)
{
	unsigned place = (unsigned)key * 2654435761u >> 30;
	for (int n = 0; n < 4; n++, place = (place + 1) & 3)
		if (!used[place] || keys[place] == key)
			return place;
	return -1;
}

static void *insert(void *argument)
{
	int key = __VERIFIER_nondet_int();
	pthread_mutex_lock(&lock);
	int place = place_of(key);
#ifdef BROKEN
	/* Another thread may take the place. */
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
#endif
	keys[place] = key;
	used[place] = 1;
	pthread_mutex_unlock(&lock);
	*(int *)argument = key;
	return argument;
}

static int has(int key)
{
	int place = place_of(key);
	return place >= 0 && used[place] && keys[place] == key;
}

int main(void)
{
	int first, second;
	pthread_t a, b;
	pthread_create(&a, 0, insert, &first);
	pthread_create(&b, 0, insert, &second);
	pthread_join(a, 0);
	pthread_join(b, 0);
#ifdef BROKEN
	/* The key that is lost is the first or the second one. */
	if (first == second)
		return 0;
	assert(has(first));
#else
	assert(has(first));
#endif
	assert(has(second));
	return 0;
}
