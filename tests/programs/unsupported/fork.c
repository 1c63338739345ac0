// expect: inconclusive reason="a second process (fork)" line=7
#include <sys/types.h>
#include <unistd.h>

int main(void)
{
	pid_t p = fork();
	return p == 0 ? 1 : 0;
}
