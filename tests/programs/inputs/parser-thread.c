// expect: verified
// broken: error kind=out-of-bounds line=42
// A thread parses a message of any six bytes: a length, and as many bytes. With -DBROKEN: The length is trusted.
#include <pthread.h>
#include <semaphore.h>

unsigned char __VERIFIER_nondet_uchar(void);
unsigned __VERIFIER_nondet_uint(void);

#define SIZE 6

static unsigned char message[SIZE], sink;
static sem_t full;

static void *feed(void *argument)
{
	unsigned word = __VERIFIER_nondet_uint();
	for (int i = 0; i < 4; i++)
		message[i] = word >> (8 * i);
	for (int i = 4; i < SIZE; i++)
		message[i] = __VERIFIER_nondet_uchar();
	sem_post(&full);
	return argument;
}

int main(void)
{
	pthread_t feeder;
	sem_init(&full, 0, 0);
	pthread_create(&feeder, 0, feed, 0);
	sem_wait(&full);
	unsigned char copy[SIZE - 1];
	unsigned length = message[0];
#ifndef BROKEN
	if (length > SIZE - 1)
		length = SIZE - 1;
#else
	if (length > SIZE)
		length = SIZE;
#endif
	for (unsigned i = 0; i < length; i++)
		copy[i] = message[1 + i];
	if (length > 0)
		sink = copy[length - 1];
	pthread_join(feeder, 0);
	return 0;
}
