// expect: verified
#include <stdlib.h>

int main(void)
{
	free(NULL);
	int *p = malloc(0);
	free(p);
	return 0;
}
