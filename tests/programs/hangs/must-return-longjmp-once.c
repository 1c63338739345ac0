// expect: verified
// broken: error kind=hang line=25 message="can never return from serve"
// A function is left by a jump, called again from the same place, and returns when another thread
// has answered. With -DBROKEN: No thread answers: the second time it stays.
#include <impasse/section.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

#ifdef BROKEN
#define ANSWER 0
#else
#define ANSWER 1
#endif

static atomic_int answer;
static jmp_buf out;

static void serve(int bad)
{
	IMPASSE_MUST_RETURN;
	answer = 0;
	if (bad)
		longjmp(out, 1);
	while (!answer) {
	}
}

static void *give_answers(void *arg)
{
	for (;;)
		answer = ANSWER;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, give_answers, 0);
	for (volatile int bad = 1;; bad = 0)
		if (!setjmp(out))
			serve(bad);
}
