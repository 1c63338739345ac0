// expect: error kind=assertion line=12
// clocks: error kind=assertion line=12
// A second look may be as much later as one likes.
#include <assert.h>
#include <time.h>

int main(void)
{
	time_t first = time(0);
	time_t second = time(0);
	/* Fails if the thread was put off. */
	assert(second - first <= 5);
}
