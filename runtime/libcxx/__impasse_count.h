// The counts that the machine's semaphores, latches and barriers can begin with.
#ifndef IMPASSE_COUNT_H
#define IMPASSE_COUNT_H

#include <__config>
#include <cstddef>

#pragma GCC system_header

extern "C" [[__noreturn__]] void __impasse_failed(const char *);
extern "C" void __impasse_unsupported(const char *);

_LIBCPP_BEGIN_NAMESPACE_STD

inline _LIBCPP_HIDE_FROM_ABI constexpr int __impasse_count(ptrdiff_t __count, ptrdiff_t __max = __PTRDIFF_MAX__) {
  if (__count < 0)
    ::__impasse_failed("invalid-call: a semaphore, latch or barrier whose count is negative");
  if (__count > __max)
    ::__impasse_failed("invalid-call: a semaphore that begins above its maximum");
  if (__count > __INT_MAX__)
    __impasse_unsupported("a semaphore, latch or barrier whose count is above 2147483647");
  return __count;
}

_LIBCPP_END_NAMESPACE_STD

#endif
