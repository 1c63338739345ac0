// expect: inconclusive reason="an operation on the process (prctl) other than its name" line=5
#include <sys/prctl.h>
int main(void)
{
	return prctl(PR_SET_SECCOMP, 1);
}
