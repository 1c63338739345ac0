// expect: verified
// The exit code has eight bits.
#include <unistd.h>

int main(void)
{
	_exit(256);
}
