// expect: verified
// Two threads share a cache for one entry: each takes out what it finds, and who evicts an entry that
// another one still uses leaves its end to that one.
#include <cassert>
#include <leveldb/cache.h>
#include <thread>

static int freed;

static void free_value(const leveldb::Slice &, void *value)
{
    freed++;
    delete static_cast<int *>(value);
}

static void use(leveldb::Cache *cache, int number)
{
    leveldb::Cache::Handle *handle = cache->Insert("key", new int(number), 1, free_value);
    assert(*static_cast<int *>(cache->Value(handle)) == number);
    cache->Release(handle);
}

int main()
{
    leveldb::Cache *cache = leveldb::NewLRUCache(1);
    std::thread thread(use, cache, 1);
    use(cache, 2);
    thread.join();
    delete cache;
    assert(freed == 2);
}
