/* The operators of C++ that delete so many bytes (`operator delete(void *, size_t)` and the like), which libc++abi defines
 * weakly, without a look at the number. Each calls the one without a number, which a program may have replaced. */
#include <stddef.h>
#include "impasse_machine.h"

#define OPERATOR(name) __asm__(name)

void delete_object(void *object) OPERATOR("_ZdlPv");
void delete_array(void *array) OPERATOR("_ZdaPv");
void delete_aligned_object(void *object, size_t align) OPERATOR("_ZdlPvSt11align_val_t");
void delete_aligned_array(void *array, size_t align) OPERATOR("_ZdaPvSt11align_val_t");

void delete_sized_object(void *object, size_t n) OPERATOR("_ZdlPvm");
void delete_sized_array(void *array, size_t n) OPERATOR("_ZdaPvm");
void delete_sized_aligned_object(void *object, size_t n, size_t align) OPERATOR("_ZdlPvmSt11align_val_t");
void delete_sized_aligned_array(void *array, size_t n, size_t align) OPERATOR("_ZdaPvmSt11align_val_t");

void delete_sized_object(void *object, size_t n)
{
	__impasse_check_size(object, n);
	delete_object(object);
}

void delete_sized_array(void *array, size_t n)
{
	__impasse_check_size(array, n);
	delete_array(array);
}

void delete_sized_aligned_object(void *object, size_t n, size_t align)
{
	__impasse_check_size(object, n);
	delete_aligned_object(object, align);
}

void delete_sized_aligned_array(void *array, size_t n, size_t align)
{
	__impasse_check_size(array, n);
	delete_aligned_array(array, align);
}
