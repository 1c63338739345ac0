// expect: error kind=hang line=9
#include <future>
#include <thread>

int main()
{
	std::promise<int> p;
	auto f = p.get_future();
	return f.get();
}
