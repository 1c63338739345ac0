#include <coroutine>
#include <iostream>
#include <utility>

struct Generator {
	struct promise_type {
		int value;
		Generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
		std::suspend_always initial_suspend() { return {}; }
		std::suspend_always final_suspend() noexcept { return {}; }
		std::suspend_always yield_value(int v) { value = v; return {}; }
		void return_void() {}
		void unhandled_exception() {}
	};
	std::coroutine_handle<promise_type> h;
	~Generator() { h.destroy(); }
	bool next() { h.resume(); return !h.done(); }
};

static Generator fibonacci(int n)
{
	int a = 0, b = 1;
	while (n--) {
		co_yield a;
		a = std::exchange(b, a + b);
	}
}

int main()
{
	auto g = fibonacci(10);
	while (g.next()) std::cout << g.h.promise().value << ' ';
	std::cout << '\n';
}
