// expect: error kind=memory-leak
#include <sys/mman.h>
int main(void)
{
	mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
