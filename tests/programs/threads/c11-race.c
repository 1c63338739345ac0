// expect: error kind=data-race line=8|16
#include <threads.h>

static int n;

static int work(void *arg)
{
	n++;
	return 0;
}

int main(void)
{
	thrd_t t;
	thrd_create(&t, work, 0);
	n++;
	thrd_join(t, 0);
	return 0;
}
