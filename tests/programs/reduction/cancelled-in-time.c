// expect: error kind=assertion line=37
// When the worker has ended, a request to cancel it changes nothing that others could observe. The
// request could have come before.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_t worker_id, other_id;
static atomic_int own, other;

static void *worker(void *given)
{
	atomic_store(&own, 1);
	pthread_testcancel();
	atomic_store(&own, 2);
	return given;
}

static void *request(void *given)
{
	atomic_store(&other, 1);
	pthread_cancel(worker_id);
	return given;
}

int main(void)
{
	void *result;
	pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
	pthread_mutex_lock(&gate);
	pthread_create(&worker_id, 0, worker, 0);
	pthread_create(&other_id, 0, request, 0);
	pthread_mutex_unlock(&gate);
	pthread_join(other_id, 0);
	pthread_join(worker_id, &result);
	assert(own != 0);
	assert(result != PTHREAD_CANCELED);
}
