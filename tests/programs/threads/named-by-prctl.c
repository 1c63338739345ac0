// expect: verified
// broken: error kind=assertion line=17
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
static void *work(void *unused)
{
	char name[16];
	assert(prctl(PR_SET_NAME, "a name that is too long") == 0);
	assert(prctl(PR_GET_NAME, name) == 0 && !strcmp(name, "a name that is "));
	assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && name[0] == 'a');
#ifdef BROKEN
	prctl(PR_SET_NAME, "worker");
	assert(prctl(PR_GET_NAME, name) == 0 && name[0] == 'a');
#endif
	return unused;
}
int main(void)
{
	pthread_t t;
	char name[16];
	assert(prctl(PR_SET_NAME, "first") == 0);
	pthread_create(&t, 0, work, 0);
	pthread_join(t, 0);
	assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && !strcmp(name, "first"));
	assert(prctl(PR_SET_DUMPABLE, 1) == 0 && prctl(PR_SET_PDEATHSIG, 9) == 0);
}
