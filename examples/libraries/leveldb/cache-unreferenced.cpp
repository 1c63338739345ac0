// expect: error data-race
// A value is used after its handle was released: another thread evicts it meanwhile.
#include <leveldb/cache.h>
#include <thread>

static void free_value(const leveldb::Slice &, void *value)
{
    delete static_cast<int *>(value);
}

static void insert(leveldb::Cache *cache)
{
    cache->Release(cache->Insert("key", new int(1), 1, free_value));
}

int main()
{
    leveldb::Cache *cache = leveldb::NewLRUCache(1);
    leveldb::Cache::Handle *handle = cache->Insert("key", new int(2), 1, free_value);
    std::thread thread(insert, cache);
    int *value = static_cast<int *>(cache->Value(handle));
    cache->Release(handle);
    int result = *value - 2;
    thread.join();
    delete cache;
    return result;
}
