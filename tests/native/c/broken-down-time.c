#include <stdio.h>
#include <time.h>

int main(void)
{
	time_t t = 1700000000;
	struct tm b;
	gmtime_r(&t, &b);
	char s[64];
	strftime(s, sizeof s, "%Y-%m-%d %H:%M:%S %a %b %j", &b);
	puts(s);
	printf("%d %d %g\n", b.tm_wday, b.tm_yday, difftime(t + 60, t));
	return 0;
}
