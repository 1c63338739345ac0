/* What GCC compiles and clang does not, as macros: for sources in C, and preprocessed files, that do not compile without. */

/* Which function gives back what another one allocates. As macros end with their arguments, __malloc__ alone stays. */
#define __malloc__(...)

#ifndef __cplusplus

#define _Float32 float
#define _Float64 double
#define _Float32x double
#define _Float64x long double
#define _Float128 __float128

/* GCC's own <stdatomic.h> applies these to objects of atomic types, which clang's functions of the same names refuse. An
 * object of an atomic type is represented as one of the type itself. */
#define __impasse_plain(p) ((__typeof__((void)0, *(p)) *)(p))
#define __atomic_load(p, ...) __atomic_load(__impasse_plain(p), __VA_ARGS__)
#define __atomic_load_n(p, ...) __atomic_load_n(__impasse_plain(p), __VA_ARGS__)
#define __atomic_store(p, ...) __atomic_store(__impasse_plain(p), __VA_ARGS__)
#define __atomic_store_n(p, ...) __atomic_store_n(__impasse_plain(p), __VA_ARGS__)
#define __atomic_exchange(p, ...) __atomic_exchange(__impasse_plain(p), __VA_ARGS__)
#define __atomic_exchange_n(p, ...) __atomic_exchange_n(__impasse_plain(p), __VA_ARGS__)
#define __atomic_compare_exchange(p, ...) __atomic_compare_exchange(__impasse_plain(p), __VA_ARGS__)
#define __atomic_compare_exchange_n(p, ...) __atomic_compare_exchange_n(__impasse_plain(p), __VA_ARGS__)
#define __atomic_fetch_add(p, ...) __atomic_fetch_add(__impasse_plain(p), __VA_ARGS__)
#define __atomic_fetch_sub(p, ...) __atomic_fetch_sub(__impasse_plain(p), __VA_ARGS__)
#define __atomic_fetch_and(p, ...) __atomic_fetch_and(__impasse_plain(p), __VA_ARGS__)
#define __atomic_fetch_or(p, ...) __atomic_fetch_or(__impasse_plain(p), __VA_ARGS__)
#define __atomic_fetch_xor(p, ...) __atomic_fetch_xor(__impasse_plain(p), __VA_ARGS__)
#define __atomic_fetch_nand(p, ...) __atomic_fetch_nand(__impasse_plain(p), __VA_ARGS__)
#define __atomic_add_fetch(p, ...) __atomic_add_fetch(__impasse_plain(p), __VA_ARGS__)
#define __atomic_sub_fetch(p, ...) __atomic_sub_fetch(__impasse_plain(p), __VA_ARGS__)
#define __atomic_and_fetch(p, ...) __atomic_and_fetch(__impasse_plain(p), __VA_ARGS__)
#define __atomic_or_fetch(p, ...) __atomic_or_fetch(__impasse_plain(p), __VA_ARGS__)
#define __atomic_xor_fetch(p, ...) __atomic_xor_fetch(__impasse_plain(p), __VA_ARGS__)
#define __atomic_nand_fetch(p, ...) __atomic_nand_fetch(__impasse_plain(p), __VA_ARGS__)

#endif
