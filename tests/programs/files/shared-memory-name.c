// expect: inconclusive reason="mmap of a file"
// environment: 9 the file "/dev/shm/x" does not exist
#include <assert.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void)
{
    int file = shm_open("/x", O_CREAT | O_RDWR, 0600);
    assert(file >= 0 && ftruncate(file, 100) == 0);
    mmap(0, 100, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
}
