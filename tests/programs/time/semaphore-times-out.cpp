// expect: verified
#include <cassert>
#include <chrono>
#include <semaphore>

using namespace std::chrono;

std::counting_semaphore<2> never(0);

int main()
{
	auto start = steady_clock::now();
	if (!never.try_acquire_for(seconds(2)))
		assert(steady_clock::now() - start >= seconds(2));
}
