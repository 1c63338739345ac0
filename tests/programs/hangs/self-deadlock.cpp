// expect: verified
// broken: error kind=hang line=18 message="can never lock account.m"
// A recursive mutex is locked twice, and given up twice. With -DBROKEN: A mutex that is not
// recursive is locked twice.
#include <mutex>
#include <thread>

struct Account {
#ifdef BROKEN
    std::mutex m;
#else
    std::recursive_mutex m;
#endif
    int balance = 2;

    void add(int n)
    {
        std::lock_guard lock(m);
        balance += n;
    }
    void take(int n)
    {
        std::lock_guard lock(m);
        add(-n);
    }
};

int main()
{
    Account account;
    std::thread other([&] { account.take(1); });
    account.take(1);
    other.join();
}
