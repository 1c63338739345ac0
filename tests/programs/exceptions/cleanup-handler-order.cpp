// expect: verified
// broken: error kind=use-after-free line=16
// In C++, a clean-up handler runs where its scope ends: between the destructors around it.
#include <cassert>
#include <cstdlib>
#include <pthread.h>
static int order[3], count;
static void note(int n) { order[count++] = n; }
static void handle(void *p)
{
	note(2);
	free(p);
}
struct Inner {
	int *p;
	~Inner() { *p = 1, note(1); }
};
struct Outer { ~Outer() { note(3); } };
static void *work(void *)
{
	int *p = (int *)malloc(sizeof *p);
	Outer outer;
#ifdef BROKEN
	Inner inner{p};
#endif
	pthread_cleanup_push(handle, p);
#ifndef BROKEN
	Inner inner{p};
#endif
	pthread_exit(nullptr);
	pthread_cleanup_pop(0);
	return nullptr;
}
int main()
{
	pthread_t t;
	pthread_create(&t, nullptr, work, nullptr);
	pthread_join(t, nullptr);
	assert(count == 3 && order[0] == 1 && order[1] == 2 && order[2] == 3);
}
