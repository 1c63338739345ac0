// Two transfers take the same two locks in opposite orders: each can get one and wait for the
// other. expect: error kind=hang line=12
#include <pthread.h>

static pthread_mutex_t savings = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t checking = PTHREAD_MUTEX_INITIALIZER;
static int saved = 10, checked = 10;

static void *deposit(void *unused)
{
    pthread_mutex_lock(&savings);
    pthread_mutex_lock(&checking);
    checked--;
    saved++;
    pthread_mutex_unlock(&checking);
    pthread_mutex_unlock(&savings);
    return unused;
}

static void *withdraw(void *unused)
{
    // In the order of deposit(), savings first, this would be correct.
    pthread_mutex_lock(&checking);
    pthread_mutex_lock(&savings);
    saved--;
    checked++;
    pthread_mutex_unlock(&savings);
    pthread_mutex_unlock(&checking);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, deposit, 0);
    pthread_create(&b, 0, withdraw, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
