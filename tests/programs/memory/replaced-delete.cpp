// expect: verified
// broken: error kind=memory-leak
// A program replaces operator delete only, to see what is deleted.
#include <cstdlib>
#include <memory>

static int deleted;

void operator delete(void *p) noexcept
{
	deleted++;
	std::free(p);
}

int main()
{
	int *p = new int[2];
	auto q = std::make_unique<long>(3);
#ifndef BROKEN
	delete[] p;
	q.reset();
	return deleted - 2;
#endif
}
