// expect: verified
#include <cassert>
#include <pthread.h>
struct S { int *p = new int(1); ~S() { delete p; } };
static void leave() { S s; pthread_exit((void *)3); }
static void *work(void *) { S s; leave(); return nullptr; }
int main()
{
	pthread_t t;
	void *result;
	pthread_create(&t, nullptr, work, nullptr);
	pthread_join(t, &result);
	assert(result == (void *)3);
}
