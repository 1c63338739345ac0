// expect: verified
// flags: --hangs=off
// Hangs are not searched for.
#include <memory>
#include <pthread.h>

struct Pool;
void *serve(void *pool);

struct Pool {
    pthread_t thread;
    bool started = false;

    ~Pool()
    {
        // runs on `thread` itself if main lets go first

        pthread_join(thread, nullptr);
    }
};

struct Task {
    std::shared_ptr<Pool> pool;
};

void *serve(void *task)
{
    delete static_cast<Task *>(task);
    return nullptr;
}

int main()
{
    auto pool = std::make_shared<Pool>();
    auto task = new Task{pool};
    pthread_create(&pool->thread, nullptr, serve, task);
    pool.reset();
    pthread_exit(nullptr);
}
