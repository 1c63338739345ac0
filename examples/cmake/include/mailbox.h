/* A place for one message, which a thread leaves there and another one takes. */
#ifndef MAILBOX_H
#define MAILBOX_H

#include <pthread.h>

struct mailbox {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int message; /* 0: none */
};

#define MAILBOX_EMPTY {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0}

/* Waits until the mailbox is empty, and leaves a message, which is not 0. */
void mailbox_put(struct mailbox *box, int message);

/* Waits for a message, and takes it. */
int mailbox_take(struct mailbox *box);

#endif
