// expect: error kind=assertion line=18
// Linux does not restart a wait with a limit for a semaphore, though SA_RESTART is set.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t never;

static void handle(int signal)
{
}

static void *waits(void *unused)
{
	struct timespec late = {2000000000, 0};
	assert(sem_timedwait(&never, &late) == -1 && errno == ETIMEDOUT);
	return unused;
}

int main(void)
{
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
	sigaction(SIGUSR1, &action, 0);
	sem_init(&never, 0, 0);
	pthread_t thread;
	pthread_create(&thread, 0, waits, 0);
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, 0);
	return 0;
}
