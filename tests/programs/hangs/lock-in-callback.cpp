// expect: error kind=hang line=21
// The callback locks the mutex that is held while it is called.
#include <functional>
#include <mutex>

class Subject {
	std::mutex m;
	std::function<void()> observer;
	int n = 0;

public:
	void observe(std::function<void()> f) { observer = std::move(f); }
	void change()
	{
		std::lock_guard guard(m);
		n++;
		observer();
	}
	int get()
	{
		std::lock_guard guard(m);
		return n;
	}
};

int main()
{
	Subject s;
	s.observe([&s] { s.get(); });
	s.change();
	return 0;
}
