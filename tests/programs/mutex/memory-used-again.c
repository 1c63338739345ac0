// expect: verified
// Memory that held a locked mutex, and something else since, may become a mutex again: it holds no
// mutex any more. Neither is a local variable of another call a mutex that is held.
#include <pthread.h>
#include <string.h>

static union {
	pthread_mutex_t mutex;
	int numbers[10];
} memory;

static void leaves_locked(void)
{
	pthread_mutex_t mutex;
	pthread_mutex_init(&mutex, 0);
	pthread_mutex_lock(&mutex);
}

int main(void)
{
	pthread_mutex_init(&memory.mutex, 0);
	pthread_mutex_lock(&memory.mutex);
	for (int i = 0; i < 10; i++)
		memory.numbers[i] = 7;
	pthread_mutex_init(&memory.mutex, 0);
	pthread_mutex_lock(&memory.mutex);
	leaves_locked();
	leaves_locked();
	return 0;
}
