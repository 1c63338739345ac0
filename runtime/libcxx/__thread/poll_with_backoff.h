// How libc++ waits for something that another thread does, told to the machine: polling many times
// in a row and asking the clock how long it took are steps that no report needs. Stands in
// front of libc++'s header of the same name.
#ifndef _LIBCPP___THREAD_POLL_WITH_BACKOFF_H
#define _LIBCPP___THREAD_POLL_WITH_BACKOFF_H

#include <__chrono/duration.h>
#include <__chrono/high_resolution_clock.h>
#include <__config>

extern "C" long __impasse_time_after(long);
extern "C" void __impasse_sleep_until(long);

_LIBCPP_BEGIN_NAMESPACE_STD

// Polls, and between two polls backs off as after a long time. With a time limit, polls once: a
// poll that succeeds later is one before which the thread does not run.
template <class _Poll, class _Backoff>
_LIBCPP_AVAILABILITY_SYNC _LIBCPP_HIDE_FROM_ABI bool __libcpp_thread_poll_with_backoff(
    _Poll &&__poll, _Backoff &&__backoff, chrono::nanoseconds __limit = chrono::nanoseconds::zero()) {
  if (__limit != chrono::nanoseconds::zero()) {
    long const __until = __impasse_time_after(__limit.count());
    if (__poll())
      return true;
    __impasse_sleep_until(__until);
    return false;
  }
  while (!__poll()) {
    if (__backoff(chrono::nanoseconds(1000000000)))
      return false;
  }
  return true;
}

// Polls again at once.
struct __spinning_backoff_policy {
  _LIBCPP_HIDE_FROM_ABI _LIBCPP_CONSTEXPR bool operator()(chrono::nanoseconds const &) const { return false; }
};

_LIBCPP_END_NAMESPACE_STD

#endif
