// expect: verified
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
int main(void)
{
    assert(pthread_mutex_lock(&recursive) == 0 && pthread_mutex_lock(&recursive) == 0);
    assert(pthread_mutex_unlock(&recursive) == 0 && pthread_mutex_unlock(&recursive) == 0);
    assert(pthread_mutex_lock(&checking) == 0 && pthread_mutex_lock(&checking) == EDEADLK);
    assert(pthread_mutex_unlock(&checking) == 0);
    assert(pthread_mutex_lock(&adaptive) == 0 && pthread_mutex_unlock(&adaptive) == 0);
}
