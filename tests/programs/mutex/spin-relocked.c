// expect: error kind=hang line=10
#include <pthread.h>

static pthread_spinlock_t s;

int main(void)
{
	pthread_spin_init(&s, 0);
	pthread_spin_lock(&s);
	pthread_spin_lock(&s);
	return 0;
}
