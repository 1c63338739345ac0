// expect: error kind=hang line=12 message="can never lock account.m"
// A mutex that is not recursive is locked twice.
#include <mutex>
#include <thread>

struct Account {
    std::mutex m;
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
