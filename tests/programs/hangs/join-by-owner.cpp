// expect: verified
// broken: error kind=hang line=20 message="can never finish joining"
// Main keeps the pool until its thread has let go: the destructor never runs on the thread itself.
// With -DBROKEN: The last owner of the pool may be the pool's own thread: then its destructor joins
// itself. (With std::thread::join that would be an exception; the native call just waits.)
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
#ifndef BROKEN
    while (pool.use_count() > 1) {
    }
#endif
    pool.reset();
    pthread_exit(nullptr);
}
