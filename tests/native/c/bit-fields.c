#include <stdio.h>

struct date { unsigned day : 5, month : 4; int year : 12; unsigned : 0; unsigned char flag : 1; };
struct mixed { char c; int a : 3; unsigned b : 13; long long big : 40; };

int main(void)
{
	struct date d = {31, 12, -44, 1};
	d.day++;
	d.month -= 3;
	printf("%u %u %d %u %zu\n", d.day, d.month, d.year, d.flag, sizeof d);
	struct mixed m = {'x', -3, 8191, -5000000000};
	m.b += 2;
	m.a += 5;
	printf("%c %d %u %lld %zu\n", m.c, m.a, m.b, (long long)m.big, sizeof m);
	return 0;
}
