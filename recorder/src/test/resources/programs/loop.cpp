// Stores for ever, through a template in a namespace.
#include "pm.h"

namespace app {
template <typename T> __attribute__((noinline)) void put(volatile T *slot, T value)
{
	*slot = value;
	__asm__ volatile("clflush %0\n\tsfence" : "+m"(*(volatile char *)slot));
}
} // namespace app

int main(int argc, char **argv)
{
	long *pool = reinterpret_cast<long *>(pm_alloc(argc, argv));
	for (long i = 0;; i++)
		app::put<long>(pool + i % 1000, i);
}
