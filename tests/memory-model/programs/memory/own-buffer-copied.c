// expect: verified
// flags: --memory-model tso
// sequential: verified
/* Structures are copied, filled and passed as their thread sees them. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

struct record {
	int *place;
	char name[20];
	int number;
};

static struct record shared, copy;
static int target;
static atomic_int turn;

static int sum(struct record record, int more)
{
	return record.number + *record.place + more;
}

static void *owner(void *argument)
{
	shared.place = &target;
	target = 5;
	memset(shared.name, 'x', sizeof shared.name);
	shared.name[3] = 0;
	shared.number = 7;
	/* All of it is in the store buffer still. */
	int seen = atomic_load_explicit(&turn, memory_order_relaxed);
	copy = shared;
	memmove(copy.name + 1, copy.name, 4);
	assert(!strcmp(copy.name, "xxxx"));
	assert(sum(copy, seen) == 12 + seen);
	return argument;
}

static void *other(void *argument)
{
	atomic_store_explicit(&turn, 1, memory_order_relaxed);
	return argument;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], 0, owner, 0);
	pthread_create(&threads[1], 0, other, 0);
	for (int n = 0; n < 2; n++)
		pthread_join(threads[n], 0);
	assert(copy.number == 7 && copy.place == &target && copy.name[0] == 'x' && shared.name[2] == 'x');
}
