#include "mailbox.h"

static struct mailbox box = MAILBOX_EMPTY;

static void *read_one(void *unused)
{
    mailbox_take(&box);
    return unused;
}

int main(void)
{
    pthread_t readers[2];
    for (int n = 0; n < 2; n++)
        pthread_create(&readers[n], 0, read_one, 0);
    mailbox_put(&box, 1);
    mailbox_put(&box, 2);
    for (int n = 0; n < 2; n++)
        pthread_join(readers[n], 0);
}
