/* What programs use of glibc's and BSD's header of this name, which musl lacks. */
#ifndef IMPASSE_SYS_CDEFS_H
#define IMPASSE_SYS_CDEFS_H

#ifdef __cplusplus
#define __BEGIN_DECLS extern "C" {
#define __END_DECLS }
#define __THROW noexcept(true)
#else
#define __BEGIN_DECLS
#define __END_DECLS
#define __THROW __attribute__((__nothrow__))
#endif

#define __P(arguments) arguments
#define __CONCAT(a, b) a##b
#define __STRING(a) #a

#endif
