#include <stdio.h>
#include <string.h>

int main(void)
{
	FILE *f = fopen("/tmp/impasse-native-test", "w+");
	if (!f)
		return 9;
	fprintf(f, "line %d\nline %d\n", 1, 2);
	printf("%ld\n", ftell(f));
	rewind(f);
	char b[20];
	while (fgets(b, sizeof b, f))
		fputs(b, stdout);
	fseek(f, 5, SEEK_SET);
	int c = fgetc(f);
	ungetc('Z', f);
	printf("%c %c\n", c, fgetc(f));
	fseek(f, -3, SEEK_END);
	printf("%zu\n", fread(b, 1, sizeof b, f));
	fclose(f);
	printf("%d\n", remove("/tmp/impasse-native-test"));
	printf("%d\n", fopen("/tmp/impasse-native-test", "r") == NULL);
	FILE *m = fmemopen(b, sizeof b, "w");
	fprintf(m, "in memory");
	fclose(m);
	puts(b);
	return 0;
}
