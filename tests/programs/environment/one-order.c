// expect: verified
// environment: 14 getenv("SECOND") returns null
// Only where one thread comes after the other one does it ask.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;
static const char *found;

static void *second(void *unused)
{
    if (flag)
        found = getenv("SECOND");
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, second, 0);
    flag = 1;
    pthread_join(thread, 0);
    return found != 0;
}
