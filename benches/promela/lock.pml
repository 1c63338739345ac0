/* A mutex: locking waits until it is free, and is one step, as unlocking is. */
inline lock(mutex) { atomic { !mutex -> mutex = true } }
inline unlock(mutex) { d_step { assert(mutex); mutex = false } }
