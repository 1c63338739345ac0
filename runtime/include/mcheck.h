/* What glibc has, and musl lacks: see gnu.c. */
#ifndef IMPASSE_MCHECK_H
#define IMPASSE_MCHECK_H

#ifdef __cplusplus
extern "C" {
#endif

void mtrace(void);
void muntrace(void);

#ifdef __cplusplus
}
#endif

#endif
