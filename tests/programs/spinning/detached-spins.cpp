// expect: verified
// The end of main ends a thread that spins.
#include <atomic>
#include <thread>

int main()
{
	static std::atomic<bool> stop;
	std::thread([] {
		while (!stop) {
		}
	}).detach();
}
