// expect: inconclusive reason="a limit on processor time, files, memory or threads (setrlimit)" line=9
// environment: 8 getrlimit() returns no limit, but for 64 open files; 9 getrlimit() returns no
//     limit, but for 64 open files
#include <sys/resource.h>
int main(void)
{
	struct rlimit limit;
	getrlimit(RLIMIT_AS, &limit), limit.rlim_cur = 1 << 20;
	return setrlimit(RLIMIT_AS, &limit);
}
