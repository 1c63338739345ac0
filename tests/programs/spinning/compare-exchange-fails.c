// expect: error kind=hang line=12 message="no thread changes anything any more"
// product: skip
// A failed compare-exchange changes nothing.
#include <stdatomic.h>

static atomic_int state;

int main(void)
{
	atomic_store(&state, 2);
	int free = 0;
	while (!atomic_compare_exchange_strong(&state, &free, 1)) free = 0;
	return 0;
}
