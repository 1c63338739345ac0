// expect: verified
// environment: 25 the semaphore "ready" does not exist; 26 the semaphore "ready" does not exist; 27
//     the semaphore "other" does not exist; 36 the semaphore "ready" does not exist
// Two names, one of them opened twice; what is unlinked lives on until it is closed.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static int done;

static void *work(void *unused)
{
	sem_t *ready = sem_open("/ready", 0);
	assert(ready != SEM_FAILED);
	done = 1;
	assert(sem_post(ready) == 0);
	assert(sem_close(ready) == 0);
	return unused;
}

int main(void)
{
	assert(sem_open("/ready", 0) == SEM_FAILED && errno == ENOENT);
	sem_t *ready = sem_open("/ready", O_CREAT | O_EXCL, 0600, 0);
	sem_t *other = sem_open("/other", O_CREAT, 0600, 1);
	assert(ready != SEM_FAILED && other != SEM_FAILED && ready != other);
	assert(sem_open("/ready", O_CREAT | O_EXCL, 0600, 0) == SEM_FAILED && errno == EEXIST);
	pthread_t thread;
	pthread_create(&thread, 0, work, 0);
	assert(sem_wait(ready) == 0);
	assert(done == 1);
	pthread_join(thread, 0);
	assert(sem_trywait(other) == 0 && sem_trywait(other) == -1 && errno == EAGAIN);
	assert(sem_unlink("/ready") == 0 && sem_unlink("/ready") == -1);
	assert(sem_post(ready) == 0);
	assert(sem_close(ready) == 0);
	assert(sem_unlink("/other") == 0 && sem_close(other) == 0);
	return 0;
}
