/* Two slots that threads take and give back. */
#ifndef POOL_H
#define POOL_H

/* Takes a slot that is free, and returns its number; -1 if there is none. */
int pool_take(void);

/* Gives a slot back. */
void pool_give(int slot);

#endif
