// expect: error kind=abort message="signal 14 ends the program"
// Without a handler, an alarm ends the program.
#include <unistd.h>

int main(void)
{
	alarm(1);
	pause();
	return 0;
}
