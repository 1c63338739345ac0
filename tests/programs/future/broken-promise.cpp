// expect: error kind=uncaught-exception line=12
// get() throws future_error, since no thread keeps the promise.
#include <future>

int main()
{
	std::future<int> f;
	{
		std::promise<int> p;
		f = p.get_future();
	}
	return f.get();
}
