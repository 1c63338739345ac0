// expect: verified
// Several mutexes at once, in any order.
#include <mutex>
#include <thread>

int main()
{
	std::mutex a, b;
	int n = 0;
	std::thread t([&] {
		std::scoped_lock both(a, b);
		n++;
	});
	{
		std::scoped_lock both(b, a);
		n++;
	}
	t.join();
	return n != 2;
}
