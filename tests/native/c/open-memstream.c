#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	for (int i = 0; i < 5; i++)
		fprintf(f, "%d,", i * i);
	fclose(f);
	printf("%s %zu\n", text, size);
	free(text);
	return 0;
}
