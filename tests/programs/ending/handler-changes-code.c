// expect: error kind=exit-code line=8 message="exits with code 4"
// What an exit handler does after main returned decides.
#include <stdlib.h>
#include <unistd.h>

static void fail(void)
{
	_exit(4);
}

int main(void)
{
	atexit(fail);
	return 0;
}
