// expect: inconclusive reason="starting another program (exec)" line=6
#include <unistd.h>

int main(void)
{
	return execl("/bin/true", "true", (char *)0);
}
