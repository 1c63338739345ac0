// expect: verified
// broken: error kind=out-of-bounds line=39
// most-states: 400
// Memory of any size that an input has: the size is a term, as are the bounds.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);

static unsigned char *buffer;
static unsigned size;

static void *fill(void *argument)
{
	if (size > 2)
		buffer[2] = 7;
	return argument;
}

int main(void)
{
	pthread_t thread;
	size = __VERIFIER_nondet_uint();
	buffer = malloc(size);
	if (!buffer)
		return 0;
	pthread_create(&thread, 0, fill, 0);
	if (size > 1)
		buffer[0] = buffer[1] = 1;
	pthread_join(thread, 0);
#ifdef BROKEN
	if (size >= 2)
#else
	if (size >= 3)
#endif
		assert(buffer[2] == 7);
	free(buffer);

	unsigned count = __VERIFIER_nondet_uint();
	__VERIFIER_assume(0 < count && count <= 20);
	int *zeros = calloc(count, sizeof *zeros);
	long numbers[count];
	for (unsigned i = 0; i < count; i++) {
		assert(zeros[i] == 0);
		numbers[i] = i;
	}
	assert(numbers[count - 1] == count - 1);
	zeros = realloc(zeros, 2 * count * sizeof *zeros);
	zeros[2 * count - 1] = 1;
	free(zeros);
	return 0;
}
