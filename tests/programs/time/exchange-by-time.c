// expect: inconclusive reason="a compare-and-exchange of a value that depends on the time"
// clocks: verified
#include <assert.h>
#include <time.h>
#include <stdatomic.h>

static _Atomic long last;

int main(void)
{
	long expected = time(0);
	atomic_compare_exchange_strong(&last, &expected, 1);
	return 0;
}
