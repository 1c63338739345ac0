// expect: verified
// flags: --races=off
// Words that hold addresses are copied whole, whatever the order.
#include <assert.h>
#include <pthread.h>

struct block {
	char bytes[3];
	int *address;
	short last;
};

static int number = 1;
static struct block source = {"ab", &number, 5}, target;

static void *copy(void *none)
{
	target = source;
	return none;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, copy, NULL);
	int *address = target.address;
	assert(!address || *address == 1);
	pthread_join(thread, NULL);
	assert(target.bytes[1] == 'b' && target.address == &number && target.last == 5);
}
