// expect: error kind=terminate
#include <pthread.h>
static void leave() noexcept { pthread_exit(nullptr); }
static void *work(void *) { leave(); return nullptr; }
int main()
{
	pthread_t t;
	pthread_create(&t, nullptr, work, nullptr);
	pthread_join(t, nullptr);
}
