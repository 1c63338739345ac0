// expect: error kind=assertion line=38
// broken: error kind=assertion line=38
// A file that an input was printed to can be read again, and so can a pipe.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

int __VERIFIER_nondet_int(void);

static void *idle(void *argument) { return argument; }

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, idle, 0);
	int number = __VERIFIER_nondet_int(), again = 0;
	if (number < 0 || number > 12)
		return 0;
#ifdef BROKEN
	int ends[2];
	if (pipe(ends))
		return 0;
	dprintf(ends[1], "%d ", number);
	char digit = '0';
	read(ends[0], &digit, 1);
	again = digit - '0';
#else
	FILE *file = fopen("numbers", "w+");
	if (!file)
		return 0;
	fprintf(file, "%d", number);
	rewind(file);
	fscanf(file, "%d", &again);
	fclose(file);
#endif
	pthread_join(thread, 0);
	assert(again == 0);
}
