#include "mailbox.h"

void mailbox_put(struct mailbox *box, int message)
{
    pthread_mutex_lock(&box->lock);
    while (box->message)
        pthread_cond_wait(&box->changed, &box->lock);
    box->message = message;
    pthread_cond_signal(&box->changed);
    pthread_mutex_unlock(&box->lock);
}

/* The bug: one signal wakes one thread, which may be another reader instead of the writer. */
int mailbox_take(struct mailbox *box)
{
    pthread_mutex_lock(&box->lock);
    while (!box->message)
        pthread_cond_wait(&box->changed, &box->lock);
    int message = box->message;
    box->message = 0;
    pthread_cond_signal(&box->changed);
    pthread_mutex_unlock(&box->lock);
    return message;
}
