// std::call_once asks in std::__call_once alone whether the function has run: the machine finds it
// out in one step. Stands in front of libc++'s header of the same name.
#ifndef IMPASSE_ONCE_FLAG_H
#define IMPASSE_ONCE_FLAG_H

#include <__config>
#include <__memory/shared_ptr.h>

#pragma GCC system_header

_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Tp>
_LIBCPP_HIDE_FROM_ABI _Tp __impasse_unknown_yet(_Tp const *) {
  return 0;
}

_LIBCPP_END_NAMESPACE_STD

#define __libcpp_acquire_load __impasse_unknown_yet
#include_next <__mutex/once_flag.h>
#undef __libcpp_acquire_load

#endif
