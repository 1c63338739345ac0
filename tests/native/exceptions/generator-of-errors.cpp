#include <cstdio>
#include <coroutine>
#include <exception>
struct Task {
	struct promise_type {
		int value = 0;
		std::exception_ptr error;
		Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
		std::suspend_always initial_suspend() { return {}; }
		std::suspend_always final_suspend() noexcept { return {}; }
		std::suspend_always yield_value(int v) { value = v; return {}; }
		void return_void() {}
		void unhandled_exception() { error = std::current_exception(); }
	};
	std::coroutine_handle<promise_type> h;
	~Task() { h.destroy(); }
};
static Task count() { co_yield 1; co_yield 2; throw 3; }
int main() {
	Task t = count();
	while (t.h.resume(), !t.h.done()) printf("%d\n", t.h.promise().value);
	try { std::rethrow_exception(t.h.promise().error); } catch (int i) { printf("thrown %d\n", i); }
}
