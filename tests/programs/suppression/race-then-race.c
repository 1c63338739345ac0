// expect: verified
// suppressed: 25 data-race; 33 data-race
// broken: error kind=data-race
// broken-suppressed: 25 data-race; 33 data-race
// A suppressed access orders nothing: what one thread writes before it races with what another one
// does after it.
#include <pthread.h>

static int flag, data;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void write_data(void)
{
#ifndef BROKEN
    pthread_mutex_lock(&lock);
#endif
    data++;
#ifndef BROKEN
    pthread_mutex_unlock(&lock);
#endif
}

static int is_flagged(void)
{
    return flag; // impasse: suppress data-race
}

static void *work(void *unused)
{
    write_data();
    (void)unused;
    // impasse: suppress data-race
    flag = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    if (is_flagged())
        write_data();
    pthread_join(thread, 0);
    return 0;
}
