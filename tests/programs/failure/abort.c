// expect: error kind=abort line=6
#include <stdlib.h>

int main(void)
{
	abort();
}
