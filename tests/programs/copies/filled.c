// expect: error kind=assertion line=21
// flags: --races=off
// memset writes word by word, in one order or the other.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static volatile long words[2];

static void *fill(void *none)
{
	memset((void *)words, -1, sizeof words);
	return none;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, fill, NULL);
	if (words[0] != 0)
		assert(words[1] != 0);
	pthread_join(thread, NULL);
}
