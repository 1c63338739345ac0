/* As with glibc, a request is an unsigned long; to musl it is an int. See gnu.c. */
#define ioctl __impasse_musl_ioctl
#include_next <sys/ioctl.h>
#undef ioctl

#ifndef IMPASSE_SYS_IOCTL_H
#define IMPASSE_SYS_IOCTL_H

#ifdef __cplusplus
extern "C" {
#endif

int ioctl(int, unsigned long, ...);

#ifdef __cplusplus
}
#endif

#endif
