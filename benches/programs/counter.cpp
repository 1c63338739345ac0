// Threads that increment a counter under a mutex.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

#ifndef THREADS
#define THREADS 4
#endif
#ifndef TURNS
#define TURNS 3
#endif

std::mutex guard;
int counter;

int main() {
    std::vector<std::thread> threads;
    for (int i = 0; i < THREADS; i++)
        threads.emplace_back([] {
            for (int turn = 0; turn < TURNS; turn++) {
                std::lock_guard lock(guard);
                counter++;
            }
        });
    for (auto &thread : threads)
        thread.join();
    assert(counter == THREADS * TURNS);
}
