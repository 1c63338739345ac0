// stdin: alpha\nbeta gamma\n
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	char *line = NULL;
	size_t size = 0;
	long n;
	while ((n = getline(&line, &size, stdin)) > 0)
		printf("%ld %s", n, line);
	free(line);
	return 0;
}
