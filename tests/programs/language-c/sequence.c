// expect: verified
#include <assert.h>
#include <string.h>

enum { N = 5 };

static void reverse(char *s)
{
	for (size_t i = 0, j = strlen(s); i + 1 < j; i++, j--) {
		char t = s[i];
		s[i] = s[j - 1];
		s[j - 1] = t;
	}
}

int main(void)
{
	char s[] = "impasse";
	reverse(s);
	assert(strcmp(s, "essapmi") == 0);
	int m[N] = {[2] = 4}, sum = 0;
	for (int i = 0; i < N; i++)
		sum += m[i];
	assert(sum == 4 && sizeof m == N * sizeof(int));
	return 0;
}
