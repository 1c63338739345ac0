/* What the files of the runtime that deal with threads have in common. */
#ifndef IMPASSE_THREAD_END_H
#define IMPASSE_THREAD_END_H

void __impasse_run_thread_local_destructors(void);

/* The destructors of keys, when a thread ends. */
void __impasse_run_key_destructors(void);

/* IMPASSE_CANCELLABLE while the thread is in a system call at which it may be cancelled, else 0. */
extern _Thread_local int __impasse_cancellable;

/* What pthread_cleanup_push has pushed. */
void __impasse_run_cleanup_handlers(void);

#endif
