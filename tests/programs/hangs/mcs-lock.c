// expect: verified
// broken: error kind=hang line=33 message="can never return from acquire"
// A queue lock after Mellor-Crummey and Scott: each thread spins on a flag of its own. With
// -DBROKEN: A queue lock after Mellor-Crummey and Scott: the flag is set too late, after the thread
// can be seen.
#include <impasse/section.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
	struct node *_Atomic next;
	atomic_int locked;
};

static struct node *_Atomic tail;
static int shared;

static void acquire(struct node *own)
{
	IMPASSE_MUST_RETURN;
	atomic_store(&own->next, NULL);
	struct node *before = atomic_exchange(&tail, own);
	if (!before)
		return;
#ifdef BROKEN
	atomic_store(&before->next, own);
#endif
	atomic_store(&own->locked, 1);
#ifndef BROKEN
	atomic_store(&before->next, own);
#endif
	while (atomic_load(&own->locked)) {
	}
}

static void release(struct node *own)
{
	IMPASSE_MUST_RETURN;
	struct node *expected = own;
	if (!atomic_load(&own->next)) {
		if (atomic_compare_exchange_strong(&tail, &expected, NULL))
			return;
		while (!atomic_load(&own->next)) {
		}
	}
	atomic_store(&atomic_load(&own->next)->locked, 0);
}

static void *work(void *arg)
{
	struct node own;
	acquire(&own);
	shared++;
	release(&own);
	return NULL;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	work(0);
	pthread_join(t, 0);
	return shared - 2;
}
