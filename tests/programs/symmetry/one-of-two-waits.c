// expect: verified
// broken: error kind=hang line=19
//
// Two threads of one function each wait for one post. If there is one only, either of them hangs.
#include <pthread.h>
#include <semaphore.h>

#ifdef BROKEN
#define POSTS 1
#else
#define POSTS 2
#endif

static sem_t posted;

static void *work(void *given)
{
	(void)given;
	sem_wait(&posted);
	return 0;
}

int main(void)
{
	pthread_t id[2];
	sem_init(&posted, 0, POSTS);
	for (int i = 0; i < 2; i++)
		pthread_create(&id[i], 0, work, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(id[i], 0);
}
