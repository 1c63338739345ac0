// expect: inconclusive reason="packets in a pipe (O_DIRECT)" line=10
// broken: inconclusive reason="packets in a pipe (O_DIRECT)" line=13
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>
int main(void)
{
	int p[2];
#ifndef BROKEN
	pipe2(p, O_DIRECT);
#endif
	pipe(p);
	fcntl(p[1], F_SETFL, O_DIRECT);
}
