// expect: verified
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
	std::mutex m;
	int balance = 10;
};

static void transfer(Account &from, Account &to, int n)
{
	std::scoped_lock both(from.m, to.m);
	from.balance -= n;
	to.balance += n;
}

int main()
{
	Account a, b;
	std::thread t([&] { transfer(a, b, 1); });
	transfer(b, a, 2);
	t.join();
	assert(a.balance + b.balance == 20);
	return 0;
}
