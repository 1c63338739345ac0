// expect: error kind=data-race line=20
// One access is atomic, the other is not.
#include <pthread.h>

struct colour {
	unsigned char red, green, blue;
} colour;

static void *paint(void *unused)
{
	colour.green = 200;
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, paint, 0);
	struct colour seen;
	__atomic_load(&colour, &seen, __ATOMIC_SEQ_CST);
	pthread_join(thread, 0);
	return 0;
}
