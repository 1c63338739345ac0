// expect: verified
// A mutex that checks for errors makes a wait fail that does not hold it.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

int main(void)
{
	assert(pthread_cond_wait(&condition, &checked) == EPERM);
	assert(pthread_mutex_lock(&checked) == 0);
	assert(pthread_mutex_unlock(&checked) == 0);
	return 0;
}
