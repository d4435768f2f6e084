/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of a shared pointer may be used by several threads; one pointer may not. */
#include "turns.h"

#include <memory>
#include <thread>

struct item {
	int value;
	~item()
	{
		value = -1;
	}
};

static std::shared_ptr<item> common = std::make_shared<item>();
int plain;

static void use(std::shared_ptr<item> mine)
{
#ifndef CORRECT
	over();
	turn(2);
	plain++; /* race 1 hmtrace */
#endif
	for (int i = 0; i < 100; i++) {
		std::shared_ptr<item> copy = mine;
		if (copy->value < 0)
			plain = 0;
	}
}

int main()
{
	std::thread one(use, common), other(use, common);
	common.reset();
	one.join();
	other.join();
	return plain < 0;
}
