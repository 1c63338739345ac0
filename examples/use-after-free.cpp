// A worker uses an object that its owner deletes without waiting for the worker. The lock keeps
// the two apart, but says nothing about who comes first.
// expect: error kind=use-after-free line=18
#include <mutex>
#include <thread>

struct Job {
    int progress = 0;
};

std::mutex mutex;

int main()
{
    auto job = new Job;
    std::thread worker([job] {
        std::lock_guard lock(mutex);
        job->progress++;
    });
    // The delete belongs after the join.
    mutex.lock();
    delete job;
    mutex.unlock();
    worker.join();
}
