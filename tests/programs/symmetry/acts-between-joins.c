// expect: verified
// broken: error kind=assertion line=22
//
// Main acts after it has joined one thread, and before it joins the other one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int arrived, joined;

static void *work(void *given)
{
	if (atomic_fetch_add(&arrived, 1) == 0)
		return given;
	// Comes second: the first thread may have been joined, if it is the one.
#ifdef BROKEN
	int most = 0;
#else
	int most = 1;
#endif
	int now = atomic_load(&joined);
	assert(now <= most);
	return given;
}

int main(void)
{
	pthread_t first, second;
	pthread_create(&first, 0, work, 0);
	pthread_create(&second, 0, work, 0);
	pthread_join(first, 0);
	atomic_store(&joined, 1);
	pthread_join(second, 0);
}
