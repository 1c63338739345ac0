#include <stdio.h>
#include <stdlib.h>

static void last(void) { puts("last"); }
static void first(void) { puts("first"); }

int main(void)
{
	printf("%d\n", getenv("A_VARIABLE_NOBODY_SETS") == NULL);
	setenv("OWN", "value", 1);
	puts(getenv("OWN"));
	unsetenv("OWN");
	printf("%d\n", getenv("OWN") == NULL);
	atexit(last);
	atexit(first);
	exit(17);
}
