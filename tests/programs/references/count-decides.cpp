// expect: error kind=data-race message=written
// The number of references decides whether a thread reads what another one has written: a count says
// what others have done, and orders nothing.
#include <memory>
#include <thread>

int written = 0;

int main()
{
    auto shared = std::make_shared<int>(1);
    std::thread other([&shared] {
        written = 1;
        auto first = shared;
        auto second = shared;
        std::this_thread::yield();
    });
    auto copy = shared;
    int seen = copy.use_count() == 4 ? written : 0;
    other.join();
    return seen * 0;
}
