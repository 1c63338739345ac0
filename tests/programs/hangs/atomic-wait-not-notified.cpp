// expect: error kind=hang line=10
// The value changes, but no thread notifies.
#include <atomic>
#include <thread>

int main()
{
	std::atomic<int> x{0};
	std::atomic<int> y{0};
	x.wait(0);
	return y;
}
