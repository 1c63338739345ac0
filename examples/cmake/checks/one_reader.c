#include "mailbox.h"
#include <assert.h>

static struct mailbox box = MAILBOX_EMPTY;

static void *write_two(void *unused)
{
    mailbox_put(&box, 1);
    mailbox_put(&box, 2);
    return unused;
}

int main(void)
{
    pthread_t writer;
    pthread_create(&writer, 0, write_two, 0);
    assert(mailbox_take(&box) == 1);
    assert(mailbox_take(&box) == 2);
    pthread_join(writer, 0);
}
