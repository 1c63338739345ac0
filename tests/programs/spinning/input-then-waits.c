// expect: error kind=hang line=10 message="no thread changes anything any more"
// product: skip
// One of the inputs leads to a loop without an end.
#include <impasse.h>
#include <stdatomic.h>

int main(void)
{
	atomic_int input = impasse_choose(3);
	while (input == 2);
	return 0;
}
