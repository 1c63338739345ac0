// expect: error kind=hang
#include <pthread.h>
static pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
int main(void)
{
    pthread_mutex_lock(&adaptive);
    pthread_mutex_lock(&adaptive);
}
