// expect: verified
// clang: -std=c++14
// A thread of a pool runs a task, whose result the main thread waits for.
#include <cassert>
#include <thread_pool/thread_pool.hpp>
int main()
{
    thread_pool::ThreadPool pool(1);
    auto f = pool.Submit([](int x) { return x + 1; }, 41);
    assert(f.get() == 42);
}
