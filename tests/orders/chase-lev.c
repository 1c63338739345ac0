// expect: verified
// The deque of Chase and Lev: the owner takes the last of two elements, while a thief steals from the other end twice.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int top, bottom, cells[2];
static int owned, stolen;

static int steal(void)
{
	int t = atomic_load(&top); // enough: relaxed
	int b = atomic_load(&bottom); // enough: seq_cst
	if (t >= b)
		return 0;
	int value = atomic_load(&cells[t]); // enough: relaxed
	return atomic_compare_exchange_strong(&top, &t, t + 1) ? value : 0; // enough: seq_cst, relaxed
}

static void *thief(void *argument)
{
	stolen = steal();
	stolen += steal();
	return argument;
}

static void push(int value)
{
	int b = atomic_load(&bottom); // enough: relaxed
	atomic_store(&cells[b], value); // enough: relaxed
	atomic_store(&bottom, b + 1); // enough: release
}

static int take(void)
{
	int b = atomic_load(&bottom) - 1; // enough: relaxed
	atomic_store(&bottom, b); // enough: seq_cst
	int t = atomic_load(&top); // enough: seq_cst
	if (t < b)
		return atomic_load(&cells[b]); // enough: relaxed
	int value = t == b ? atomic_load(&cells[b]) : 0; // enough: relaxed
	if (t == b && !atomic_compare_exchange_strong(&top, &t, t + 1)) // enough: relaxed, relaxed
		value = 0;
	atomic_store(&bottom, b + 1); // enough: relaxed
	return value;
}

int main(void)
{
	pthread_t thread;
	push(1);
	pthread_create(&thread, 0, thief, 0);
	push(2);
	owned = take();
	pthread_join(thread, 0);
	int left = 0, b = atomic_load(&bottom); // enough: relaxed
	for (int t = atomic_load(&top); t < b; t++) // enough: relaxed
		left += atomic_load(&cells[t]); // enough: relaxed
	assert(owned + stolen + left == 3);
}
