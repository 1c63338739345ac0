// expect: inconclusive reason="inotify" line=8
// A system call that programs rely on must not fail without a word.
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	return syscall(SYS_inotify_init) < 0;
}
