/* What else concerns standard output and standard error. */
#ifndef IMPASSE_PRINTING_H
#define IMPASSE_PRINTING_H

#include <stdio.h>

/* From now on, threads that print use the lock and the buffer of the stream. */
void __impasse_share_streams(void);

/* Whether it is the stream of standard output or standard error. */
int __impasse_is_printed_to(const FILE *f);

#endif
