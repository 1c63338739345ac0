// expect: error kind=assertion line=15
// flags: --races=off
// The callee's copy of an argument is made word by word.
#include <assert.h>
#include <pthread.h>

struct triple {
	long values[3];
};

static struct triple shared;

static void look(struct triple own)
{
	assert(own.values[0] >= own.values[1] && own.values[1] >= own.values[2]);
}

static void *write_all(void *none)
{
	for (int n = 0; n < 3; n++)
		shared.values[n] = 1;
	return none;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, write_all, NULL);
	look(shared);
	pthread_join(thread, NULL);
}
