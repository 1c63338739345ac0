#include <stdio.h>

static void permute(char *s, int n)
{
	if (!s[n]) {
		puts(s);
		return;
	}
	for (int i = n; s[i]; i++) {
		char t = s[n]; s[n] = s[i]; s[i] = t;
		permute(s, n + 1);
		t = s[n]; s[n] = s[i]; s[i] = t;
	}
}

int main(void)
{
	char s[] = "abcd";
	permute(s, 0);
	return 0;
}
