// expect: error kind=hang line=9
// An alarm that is ignored ends no wait.
#include <signal.h>
#include <unistd.h>

int main(void)
{
	signal(SIGALRM, SIG_IGN);
	alarm(1); pause();
	return 0;
}
