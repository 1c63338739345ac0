// expect: verified
// broken: error kind=assertion line=47
// Two threads look for a pair of letters in the halves of a text of any six bytes. With -DBROKEN: They miss the pair
// in the middle.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

unsigned char __VERIFIER_nondet_uchar(void);
unsigned __VERIFIER_nondet_uint(void);

#define SIZE 6

static unsigned char text[SIZE];
static atomic_int found;

static void *search(void *argument)
{
	int start = *(int *)argument;
#ifdef BROKEN
	int end = start + SIZE / 2 - 1;
#else
	int end = start + SIZE / 2 < SIZE ? start + SIZE / 2 : SIZE - 1;
#endif
	for (int i = start; i < end; i++)
		if (text[i] == 'a' && text[i + 1] == 'b')
			found = 1;
	return 0;
}

int main(void)
{
	pthread_t threads[2];
	int starts[2] = { 0, SIZE / 2 };
	unsigned word = __VERIFIER_nondet_uint();
	for (int i = 0; i < 4; i++)
		text[i] = word >> (8 * i);
	for (int i = 4; i < SIZE; i++)
		text[i] = __VERIFIER_nondet_uchar();
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, search, &starts[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	int there = 0;
	for (int i = 0; i + 1 < SIZE; i++)
		there |= text[i] == 'a' && text[i + 1] == 'b';
	assert(!there || found);
	return 0;
}
