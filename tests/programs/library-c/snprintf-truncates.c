// expect: verified
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
	char b[6];
	int n = snprintf(b, sizeof b, "%d:%.2f", 12, 3.14159);
	assert(n == 7 && strcmp(b, "12:3.") == 0);
	return 0;
}
