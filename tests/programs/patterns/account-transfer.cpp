// expect: error kind=hang
// Transfers in both directions lock in different orders.
#include <mutex>
#include <thread>

struct Account {
	std::mutex m;
	int balance = 10;
};

static void transfer(Account &from, Account &to, int n)
{
	std::lock_guard one(from.m);
	std::lock_guard two(to.m);
	from.balance -= n;
	to.balance += n;
}

int main()
{
	Account a, b;
	std::thread t([&] { transfer(a, b, 1); });
	transfer(b, a, 2);
	t.join();
	return 0;
}
