// expect: verified
#include <assert.h>
#include <pthread.h>

static void *square(void *arg)
{
	long n = (long)arg;
	return (void *)(n * n);
}

int main(void)
{
	pthread_t t[2];
	for (long i = 0; i < 2; i++)
		assert(pthread_create(&t[i], NULL, square, (void *)(i + 3)) == 0);
	long sum = 0;
	for (int i = 0; i < 2; i++) {
		void *r;
		assert(pthread_join(t[i], &r) == 0);
		sum += (long)r;
	}
	assert(sum == 25);
	return 0;
}
