/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads of C++: a pool of workers, which take tasks from a queue and store their results. */
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <fcntl.h>
#include <future>
#include <mutex>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

#define TASKS 200

static std::mutex mutex;
static std::condition_variable ready;
static std::deque<int> tasks;
static bool over;

static void work(long *results, std::atomic<long> *next, long worker)
{
	for (;;) {
		std::unique_lock<std::mutex> lock(mutex);
		while (!ready.wait_for(lock, std::chrono::milliseconds(1), [] { return over || !tasks.empty(); }))
			;
		if (tasks.empty())
			return;
		int task = tasks.front();
		tasks.pop_front();
		lock.unlock();
		results[next->fetch_add(1)] = worker * 1000 + task;
		__builtin_ia32_sfence();
	}
}

int main(int argc, char **argv)
{
	if (argc != 2 || chdir(argv[1]) != 0)
		return 2;
	int fd = open("results", O_CREAT | O_RDWR, 0644);
	if (fd < 0 || ftruncate(fd, 4096) != 0)
		return 2;
	long *results = (long *)mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	std::atomic<long> next(0);
	std::vector<std::thread> workers;
	for (long i = 1; i <= 3; i++)
		workers.emplace_back(work, results, &next, i);
	for (int i = 0; i < TASKS; i++) {
		std::lock_guard<std::mutex> lock(mutex);
		tasks.push_back(i);
		ready.notify_one();
	}
	{
		std::lock_guard<std::mutex> lock(mutex);
		over = true;
	}
	ready.notify_all();
	for (std::thread &worker : workers)
		worker.join();
	return std::async(std::launch::async, [&] { return next.load() == TASKS ? 0 : 1; }).get();
}
