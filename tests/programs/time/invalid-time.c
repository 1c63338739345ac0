// expect: verified
// A time whose nanoseconds are not those of a second is invalid; a wait that ends at once need not
// look at it.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, kept = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static mtx_t c11_mutex;
static cnd_t c11_condition;

static void *attempt(void *until)
{
	assert(pthread_mutex_timedlock(&kept, until) == EINVAL);
	assert(pthread_rwlock_timedrdlock(&lock, until) == EINVAL);
	assert(pthread_rwlock_timedwrlock(&lock, until) == EINVAL);
	assert(mtx_timedlock(&c11_mutex, until) == thrd_error);
	return 0;
}

static void check(long nanoseconds)
{
	struct timespec until = {1, nanoseconds};
	pthread_t thread;
	pthread_create(&thread, 0, attempt, &until);
	pthread_join(thread, 0);
	pthread_mutex_lock(&mutex);
	assert(pthread_cond_timedwait(&condition, &mutex, &until) == EINVAL);
	pthread_mutex_unlock(&mutex);
	assert(cnd_timedwait(&c11_condition, &c11_mutex, &until) == thrd_error);
	assert(sem_timedwait(&semaphore, &until) == -1 && errno == EINVAL);
	assert(nanosleep(&until, 0) == -1 && errno == EINVAL);
	assert(clock_nanosleep(CLOCK_REALTIME, 0, &until, 0) == EINVAL);
	assert(thrd_sleep(&until, 0) < -1);
	sem_post(&semaphore);
	assert(sem_timedwait(&semaphore, &until) == 0);
	assert(pthread_mutex_timedlock(&mutex, &until) == 0);
	pthread_mutex_unlock(&mutex);
}

int main(void)
{
	sem_init(&semaphore, 0, 0);
	mtx_init(&c11_mutex, mtx_timed);
	cnd_init(&c11_condition);
	mtx_lock(&c11_mutex);
	pthread_mutex_lock(&kept);
	pthread_rwlock_wrlock(&lock);
	check(1000000000);
	check(-1);
	struct timespec negative = {-1, 0};
	assert(nanosleep(&negative, 0) == -1 && errno == EINVAL);
	assert(sem_timedwait(&semaphore, &negative) == -1 && errno == ETIMEDOUT);
	pthread_rwlock_unlock(&lock);
	pthread_mutex_unlock(&kept);
	mtx_unlock(&c11_mutex);
}
