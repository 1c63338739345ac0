// expect: error kind=assertion line=8
// flags: --abort prune
// assert() is not abort().
#include <assert.h>

int main(int argc, char **argv)
{
	assert(argc == 7);
	(void)argv;
}
