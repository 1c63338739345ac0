// expect: error kind=invalid-call line=8
#include <impasse.h>

int main(void)
{
	impasse_atomic_begin();
	impasse_atomic_end();
	impasse_atomic_end();
	return 0;
}
