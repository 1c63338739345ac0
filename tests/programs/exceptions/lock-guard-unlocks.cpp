// expect: verified
#include <mutex>
#include <thread>
static std::mutex m;
static int n;
static void work()
{
	try { std::lock_guard<std::mutex> l(m); if (n++ == 0) throw 1; } catch (int) {}
}
int main() { std::thread t(work); work(); t.join(); return n - 2; }
