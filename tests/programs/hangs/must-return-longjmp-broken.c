// expect: error kind=hang line=18 message="can never return from serve"
// A function is left by a jump, and called again from the same place: the second time it stays.
#include <impasse/section.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

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

static void *deny(void *arg)
{
	for (;;)
		answer = 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, deny, 0);
	for (volatile int bad = 1;; bad = 0)
		if (!setjmp(out))
			serve(bad);
}
