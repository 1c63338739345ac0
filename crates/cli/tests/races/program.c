/* Threads that do what the arguments say, one argument a thread: a letter, a place, and a memory order for each operation. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static int plain[2];
static atomic_int atomics[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;

static void *run(void *argument) {
	int last = 0, locked = 0, skips = 0, value;
	for (const char *at = argument; *at; at += 3) {
		int place = at[1] - '0', order = at[2] - '0';
		if (skips) {
			skips = 0;
			continue;
		}
		switch (at[0]) {
		case 'r':
			value = plain[place];
			break;
		case 'w':
			plain[place] = 1;
			break;
		case 'l':
			last = atomic_load_explicit(&atomics[place], order);
			break;
		case 's':
			atomic_store_explicit(&atomics[place], 1, order);
			break;
		case 'u':
			last = atomic_fetch_add_explicit(&atomics[place], 1, order);
			break;
		case 'k':
			atomic_fetch_add_explicit(&atomics[place], 1, order);
			break;
		case 'f':
			atomic_thread_fence(order);
			break;
		case 'i':
			atomic_init(&atomics[place], 0);
			break;
		case 'L':
			if (!locked)
				pthread_mutex_lock(&mutex);
			locked = 1;
			break;
		case 'T':
			if (!locked)
				last = locked = !pthread_mutex_trylock(&mutex);
			break;
		case 'U':
			if (locked)
				pthread_mutex_unlock(&mutex);
			locked = 0;
			break;
		case 'p':
			sem_post(&semaphore);
			break;
		case 't':
			last = !sem_trywait(&semaphore);
			break;
		case 'v':
			sem_getvalue(&semaphore, &last);
			break;
		case '?':
			skips = !last;
			break;
		}
	}
	if (locked)
		pthread_mutex_unlock(&mutex);
	return 0;
}

int main(int count, char **programs) {
	pthread_t threads[3];
	sem_init(&semaphore, 0, 0);
	for (int n = 1; n < count; n++)
		pthread_create(&threads[n - 1], 0, run, programs[n]);
	for (int n = 1; n < count; n++)
		pthread_join(threads[n - 1], 0);
}
