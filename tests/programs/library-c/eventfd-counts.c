// expect: error kind=assertion line=25
// Two notifications may be read as one: a counter adds them up.
#include <assert.h>
#include <pthread.h>
#include <sys/eventfd.h>

static int counter;

static void *notify(void *unused)
{
	eventfd_write(counter, 1);
	return unused;
}

int main(void)
{
	counter = eventfd(0, 0);
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, notify, 0);
	eventfd_t value, sum = 0;
	while (sum < 2) {
		eventfd_read(counter, &value);
		sum += value;
		assert(value == 1);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	return 0;
}
