// expect: error kind=assertion line=9
// environment: 7 main gets no arguments (--arg gives some)
// flags: --abort prune
// assert() is not abort().
#include <assert.h>

int main(int argc, char **argv)
{
	assert(argc == 7);
	(void)argv;
}
