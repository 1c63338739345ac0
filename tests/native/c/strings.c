#include <stdio.h>
#include <string.h>
#include <strings.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void)
{
	char b[40] = "hello";
	strcat(b, ", world");
	strncat(b, "!!!", 1);
	printf("%s %zu %zu\n", b, strlen(b), strnlen(b, 3));
	printf("%d %d %d\n", sign(strcmp("a", "b")), sign(strncmp("abc", "abd", 2)), sign(strcasecmp("ABC", "abc")));
	printf("%s %s %s\n", strchr(b, 'o'), strrchr(b, 'o'), strstr(b, "wor"));
	printf("%zu %zu %s\n", strspn("aabbc", "ab"), strcspn("hello", "l"), strpbrk("key=value", "=:"));
	char t[] = "a,b,,c", *save;
	for (char *p = strtok_r(t, ",", &save); p; p = strtok_r(NULL, ",", &save))
		printf("<%s>", p);
	printf("\n");
	char pad[8];
	strncpy(pad, "ab", sizeof pad);
	for (int i = 0; i < 8; i++)
		printf("%d ", pad[i]);
	printf("%s\n", (char *)memchr("xyz", 'y', 3));
	memmove(b + 2, b, 5);
	printf("%s %d\n", b, sign(memcmp("\xff", "\x01", 1)));
	printf("%s\n", strerror(2));
	return 0;
}
