#include <coroutine>
#include <cstdio>
#include <exception>
#include <stdexcept>
struct Task {
	struct promise_type {
		int value = 0;
		std::exception_ptr error;
		std::coroutine_handle<> waiting;
		Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
		std::suspend_always initial_suspend() { return {}; }
		struct Final {
			bool await_ready() noexcept { return false; }
			std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h) noexcept
			{
				return h.promise().waiting ? h.promise().waiting : std::noop_coroutine();
			}
			void await_resume() noexcept {}
		};
		Final final_suspend() noexcept { return {}; }
		void return_value(int v) { value = v; }
		void unhandled_exception() { error = std::current_exception(); }
	};
	std::coroutine_handle<promise_type> handle;
	~Task() { handle.destroy(); }
	bool await_ready() { return false; }
	std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiting)
	{
		handle.promise().waiting = waiting;
		return handle;
	}
	int await_resume()
	{
		if (handle.promise().error)
			std::rethrow_exception(handle.promise().error);
		return handle.promise().value;
	}
};
static Task leaf(int n)
{
	if (n == 3)
		throw std::runtime_error("three");
	co_return n;
}
static Task sum()
{
	int s = 0;
	for (int i = 0; i < 5; i++) {
		try {
			s += co_await leaf(i);
		} catch (std::runtime_error &e) {
			puts(e.what());
			s += 100;
		}
	}
	co_return s;
}
int main()
{
	Task t = sum();
	t.handle.resume();
	printf("%d\n", t.handle.promise().value);
}
