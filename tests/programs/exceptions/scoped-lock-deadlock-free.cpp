// expect: verified
#include <mutex>
#include <thread>
static std::mutex a, b;
static void work(std::mutex &x, std::mutex &y) { try { std::scoped_lock l(x, y); throw 1; } catch (int) {} }
int main() { std::thread t([] { work(a, b); }); work(b, a); t.join(); }
