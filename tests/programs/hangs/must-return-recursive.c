// expect: verified
// Each activation of a recursive function is a section of its own.
#include <impasse/section.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int visits;

static void visit(int depth)
{
	IMPASSE_MUST_RETURN;
	if (depth == 0)
		return;
	pthread_mutex_lock(&m);
	visits++;
	pthread_mutex_unlock(&m);
	visit(depth - 1);
	visit(depth - 1);
}

static void *work(void *arg)
{
	visit(1);
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	visit(2);
	pthread_join(t, 0);
	return 0;
}
