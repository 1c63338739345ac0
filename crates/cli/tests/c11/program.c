/* Threads that do what the arguments say, one argument a thread: for each operation a letter, a
 * place, a memory order, a value, and an expected value. What is read is written down. What the
 * main thread does comes last, behind an `m`. */
#include <impasse.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

IMPASSE_OUTCOME(atomic_int, x);
IMPASSE_OUTCOME(atomic_int, y);
IMPASSE_OUTCOME(atomic_int, z);
#define READ(n) IMPASSE_OUTCOME(int, r##n)
READ(00); READ(01); READ(02); READ(03); READ(04);
READ(10); READ(11); READ(12); READ(13); READ(14);
READ(20); READ(21); READ(22); READ(23); READ(24);
READ(30); READ(31); READ(32); READ(33); READ(34);

static atomic_int *const atomics[] = {&x, &y, &z};
static int plain[2];
static int *const read[4][5] = {
	{&r00, &r01, &r02, &r03, &r04},
	{&r10, &r11, &r12, &r13, &r14},
	{&r20, &r21, &r22, &r23, &r24},
	{&r30, &r31, &r32, &r33, &r34},
};
static char **programs;

static void perform(int thread, const char *at, pthread_t *threads) {
	int last = 0, count = 0;
	for (int skips = 0; *at; at += 5, count++) {
		int place = at[1] - '0', order = at[2] - '0', value = at[3] - '0', expected = at[4] - '0';
		if (skips) {
			skips = 0;
			continue;
		}
		switch (at[0]) {
		case 'l':
			last = atomic_load_explicit(atomics[place], order);
			break;
		case 's':
			atomic_store_explicit(atomics[place], value, order);
			continue;
		case 'x':
			last = atomic_exchange_explicit(atomics[place], value, order);
			break;
		case 'a':
			last = atomic_fetch_add_explicit(atomics[place], value, order);
			break;
		case 'k':
			atomic_fetch_add_explicit(atomics[place], value, order);
			continue;
		case 'd':
			atomic_store_explicit(atomics[place], last, order);
			continue;
		case 'c':
			atomic_compare_exchange_strong_explicit(
				atomics[place], &expected, value, order, memory_order_relaxed);
			last = expected;
			break;
		case 'C':
			atomic_compare_exchange_strong_explicit(
				atomics[place], &expected, value, order, memory_order_acquire);
			last = expected;
			break;
		case 'f':
			atomic_thread_fence(order);
			continue;
		case 'r':
			last = plain[place];
			break;
		case 'w':
			plain[place] = value;
			continue;
		case 'R':
			last = *(int *)atomics[place];
			break;
		case 'W':
			*(int *)atomics[place] = value;
			continue;
		case '?':
			skips = !last;
			continue;
		case 'j':
			pthread_join(threads[place], 0);
			continue;
		}
		*read[thread][count] = last;
	}
}

static void *run(void *argument) {
	int thread = (int)(long)argument;
	perform(thread, programs[thread + 1], 0);
	return 0;
}

int main(int count, char **arguments) {
	/* What no other thread can reach. */
	pthread_t threads[4];
	char own[32] = "";
	programs = arguments;
	int started = count - 1;
	if (started && arguments[started][0] == 'm')
		strcpy(own, arguments[started--] + 1);
	for (int n = 0; n < started; n++)
		pthread_create(&threads[n], 0, run, (void *)(long)n);
	perform(started, own, threads);
	if (!*own)
		for (int n = 0; n < started; n++)
			pthread_join(threads[n], 0);
}
