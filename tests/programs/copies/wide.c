// expect: error kind=assertion line=20
// flags: --races=off
// An integer of 16 bytes is written and read as two.
#include <assert.h>
#include <pthread.h>

static unsigned __int128 wide;

static void *write_wide(void *none)
{
	wide = (unsigned __int128)1 << 64 | 1;
	return none;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, write_wide, NULL);
	unsigned __int128 read = wide;
	assert((unsigned long)read == (unsigned long)(read >> 64));
	pthread_join(thread, NULL);
}
