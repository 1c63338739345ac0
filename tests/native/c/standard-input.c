// stdin: first line\nsecond\n\nlast without end
#include <stdio.h>
#include <string.h>

int main(void)
{
	char line[64];
	int n = 0;
	while (fgets(line, sizeof line, stdin)) {
		line[strcspn(line, "\n")] = 0;
		printf("%d <%s>\n", ++n, line);
	}
	printf("%d %d\n", feof(stdin) != 0, ferror(stdin) != 0);
	return n;
}
