#include <coroutine>
#include <cstdio>
struct Generator {
	struct promise_type {
		int value = 0;
		Generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
		std::suspend_always initial_suspend() { return {}; }
		std::suspend_always final_suspend() noexcept { return {}; }
		std::suspend_always yield_value(int v) { value = v; return {}; }
		void return_void() {}
		void unhandled_exception() { throw; }
	};
	std::coroutine_handle<promise_type> handle;
	~Generator() { handle.destroy(); }
	bool next() { handle.resume(); return !handle.done(); }
};
static Generator range(int n)
{
	for (int i = 0; i < n; i++)
		co_yield i;
	throw 5;
}
int main()
{
	Generator g = range(3);
	try {
		while (g.next())
			printf("%d\n", g.handle.promise().value);
	} catch (int i) {
		printf("thrown %d, %d\n", i, g.handle.done());
	}
}
