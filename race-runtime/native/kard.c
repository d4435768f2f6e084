/* SPDX-License-Identifier: Apache-2.0 */
#include "kard.h"

#include "kard_objects.h"
#include "keys.h"
#include "locksets.h"
#include "pages.h"
#include "report.h"
#include "spin.h"
#include "stacks.h"

#include <stdlib.h>

#define MOST_USES 16 /* of one key in one section, that are remembered */

/* Bytes that a thread used. */
struct use {
	uintptr_t low, high;
	unsigned kind;
	uint32_t where, locks;
	unsigned slot;
	uint32_t segment;
};

/* Another thread's use that did not fit, until it is known whether the holder uses the same bytes. */
struct suspect {
	struct use use;
	struct suspect *next;
};

/* A key that a thread holds: K(t) of algorithm 1. */
struct hold {
	struct thread *owner;
	struct kard_key *key;
	bool writes;
	unsigned depth; /* nested section in which it was acquired */
	unsigned write_depth; /* and that in which it was acquired to write; 0 = never */
	uint32_t section;
	unsigned use_count;
	struct use uses[MOST_USES];
	struct suspect *suspects;
	struct hold *next_of_key, *next_of_thread;
};

struct kard_key {
	unsigned number; /* from 1 */
	struct hold *holds;
	struct kard_object *objects;
	struct kard_key *next;
};

/* A thread is in a critical section. */
struct entry {
	struct thread *owner;
	unsigned depth; /* from 1 */
	uint32_t section; /* where it was entered, which tells sections apart */
	uint64_t at;
	struct entry *earlier, *later;
};

struct kard_thread {
	struct entry entries[MOST_LOCKS];
	struct hold *holds;
};

bool kard_is_alone;
static struct lone_spin lock;
static struct entry *earliest, *latest;
static uint64_t now; /* counts entries */
static struct hold *spare_holds;
static struct kard_key *keys; /* all of a limited number; else those that no object has */
static unsigned key_count, most_keys; /* 0 = one for each object */

void kard_start(void)
{
	const char *text = getenv("POWERCUT_KARD_KEYS");
	most_keys = with_keys ? KEYS_OF_OBJECTS : text == NULL ? 0 : (unsigned)atoi(text);
	kard_objects_start();
	kard_is_alone = !with_hmtrace && !with_keys && !with_noise;
}

static struct kard_thread *of(struct thread *me)
{
	if (me->kard == NULL)
		me->kard = pages_keep(sizeof *me->kard);
	return me->kard;
}

static struct entry *section_of(struct thread *me)
{
	return &of(me)->entries[me->sections - 1];
}

static struct kard_need *need_of(const struct kard_object *object, uint32_t section)
{
	struct kard_need *need = object->needs;
	while (need != NULL && need->section != section)
		need = need->next;
	return need;
}

/* The section-object map (5.3): K_R(s) and K_W(s) of algorithm 1, by object. */
static void need(uint32_t section, struct kard_object *object, bool writes)
{
	struct kard_need *known = need_of(object, section);
	if (known == NULL) {
		known = pages_take(sizeof *known);
		*known = (struct kard_need){.section = section, .since = now, .next = object->needs};
		object->needs = known;
	}
	if (writes && !known->writes) {
		known->writes = true;
		known->writes_since = now;
	}
}

static struct hold *hold_of(struct thread *me, const struct kard_key *key)
{
	for (struct hold *hold = key == NULL ? NULL : key->holds; hold != NULL; hold = hold->next_of_key)
		if (hold->owner == me)
			return hold;
	return NULL;
}

/* A hold of another thread that keeps this one from having the key. */
static struct hold *obstacle(struct thread *me, const struct kard_key *key, bool writes)
{
	for (struct hold *hold = key == NULL ? NULL : key->holds; hold != NULL; hold = hold->next_of_key)
		if (hold->owner != me && (writes || hold->writes))
			return hold;
	return NULL;
}

/* Threads take some in each section, and most of one is uses that it need not have: it is not cleared. */
static struct hold *new_hold(void)
{
	struct hold *hold = spare_holds;
	if (hold == NULL)
		return pages_keep(sizeof *hold);
	spare_holds = hold->next_of_key;
	hold->writes = false;
	hold->write_depth = 0;
	hold->use_count = 0;
	hold->suspects = NULL;
	return hold;
}

static void acquire(const struct entry *entry, struct kard_key *key, bool writes)
{
	struct kard_thread *mine = of(entry->owner);
	struct hold *hold = hold_of(entry->owner, key);
	if (hold == NULL) {
		hold = new_hold();
		hold->owner = entry->owner;
		hold->key = key;
		hold->depth = entry->depth;
		hold->section = entry->section;
		hold->next_of_key = key->holds;
		key->holds = hold;
		hold->next_of_thread = mine->holds;
		mine->holds = hold;
	}
	if (writes && !hold->writes) {
		hold->writes = true;
		hold->write_depth = entry->depth;
	}
}

static bool can_write(struct thread *owner, const struct kard_key *key)
{
	const struct hold *hold = hold_of(owner, key);
	return hold != NULL && hold->writes;
}

/*
 * Threads take the keys of their sections as they enter them (5.4): lines 1 to 5 of algorithm 1. A section may need
 * thousands, and most of them matter to nobody while it lasts. So the holder of a key is found out when it matters.
 * The thread that entered first has it; a key that was not free then is taken when it is.
 */
static void take_as_entered(struct kard_key *key)
{
	for (const struct entry *entry = earliest; entry != NULL; entry = entry->later)
		for (struct kard_object *object = key->objects; object != NULL && !can_write(entry->owner, key);
				object = object->next_of_key) {
			const struct kard_need *need = need_of(object, entry->section);
			if (need == NULL || need->since >= entry->at || object->key_since >= entry->at)
				continue;
			bool writes = need->writes && need->writes_since < entry->at;
			if (obstacle(entry->owner, key, writes) == NULL)
				acquire(entry, key, writes);
		}
}

/* Its pages get the key of its domain (5.2). One that is suspected has none that a section gives (protection interleaving). */
static void protect(struct kard_object *object)
{
	unsigned wanted = KEY_READ_ONLY;
	if (object->is_suspected)
		wanted = KEY_NOT_ACCESSED;
	else if (object->key != NULL)
		wanted = object->key->number;
	if (object->protection == wanted)
		return;
	object->protection = wanted;
	keys_protect(object->address, object->size, wanted);
}

static void give_key(struct kard_key *key, struct kard_object *object)
{
	object->key = key;
	object->key_since = now;
	object->next_of_key = key->objects;
	key->objects = object;
}

static struct kard_key *new_key(void)
{
	struct kard_key *key = most_keys == 0 ? keys : NULL;
	if (key != NULL) {
		keys = key->next;
		return key;
	}
	key = pages_keep(sizeof *key);
	key->number = ++key_count;
	if (most_keys > 0) {
		key->next = keys;
		keys = key;
	}
	return key;
}

/* Of an unlimited number of keys, those that nothing has are used again. */
static void give_up_key(struct kard_key *key)
{
	if (most_keys > 0 || key->objects != NULL || key->holds != NULL)
		return;
	key->next = keys;
	keys = key;
}

/* Its objects go back to the read-only domain, where the next write in a section finds them again. */
static void recycle(struct kard_key *key)
{
	for (struct kard_object *object = key->objects; object != NULL; object = object->next_of_key) {
		object->key = NULL;
		object->domain = DOMAIN_READ_ONLY;
		protect(object);
	}
	key->objects = NULL;
}

/* The rules of section 5.4: a held key, a free one, one that can be recycled, or one that others hold. */
static void assign_key(struct thread *me, struct kard_object *object)
{
	if (most_keys == 0) {
		give_key(new_key(), object);
		return;
	}
	for (struct kard_key *key = keys; key != NULL; key = key->next)
		take_as_entered(key);
	if (of(me)->holds != NULL) {
		give_key(of(me)->holds->key, object);
		return;
	}
	if (key_count < most_keys) {
		give_key(new_key(), object);
		return;
	}
	for (struct kard_key *key = keys; key != NULL; key = key->next)
		if (key->holds == NULL) {
			recycle(key);
			give_key(key, object);
			return;
		}
	give_key(keys, object);
}

static bool conflict(const struct use *one, const struct use *other)
{
	return one->low < other->high && other->low < one->high && ((one->kind | other->kind) & ACCESS_WRITE) != 0 &&
			(one->kind & other->kind & ACCESS_ATOMIC) == 0;
}

/* Other synchronisation than locks, which KARD does not know, may order the two. */
static bool is_ordered(const struct use *before, const struct thread *after)
{
	return before->segment <= clock_get(&after->clock, before->slot);
}

static void describe(struct racing_access *access, const struct use *use)
{
	*access = (struct racing_access){.address = use->low,
			.size = (unsigned)(use->high - use->low),
			.kind = use->kind & (ACCESS_WRITE | ACCESS_ATOMIC),
			.where = use->where,
			.locks = use->locks};
	thread_facts(use->slot, use->segment, &access->thread, &access->parent, &access->created);
}

struct finding {
	bool found;
	bool unconfirmed;
	struct use first, second;
};

static void report(struct thread *me, const struct finding *finding)
{
	uintptr_t low = finding->first.low, high = finding->first.high;
	if (!finding->unconfirmed && finding->second.low > low)
		low = finding->second.low;
	if (!finding->unconfirmed && finding->second.high < high)
		high = finding->second.high;
	struct race race = {.detector = "kard",
			.unconfirmed = finding->unconfirmed,
			.address = low,
			.size = (unsigned)(high - low)};
	describe(&race.first, &finding->first);
	describe(&race.second, &finding->second);
	report_race(me, &race);
}

static void suspect(struct hold *hold, const struct use *use)
{
	for (struct suspect *known = hold->suspects; known != NULL; known = known->next)
		if (known->use.where == use->where && known->use.low == use->low)
			return;
	struct suspect *added = pages_take(sizeof *added);
	*added = (struct suspect){*use, hold->suspects};
	hold->suspects = added;
}

/* Protection interleaving (5.5) with bytes instead of faults: only uses of the same bytes are a race. */
static struct finding compare(struct thread *me, struct hold *hold, const struct use *use)
{
	for (unsigned i = 0; i < hold->use_count; i++)
		if (conflict(&hold->uses[i], use) && !is_ordered(&hold->uses[i], me))
			return (struct finding){.found = true, .first = hold->uses[i], .second = *use};
	suspect(hold, use);
	return (struct finding){.found = false};
}

/* The holder uses bytes that another thread used while it had the key. */
static struct finding confirm(struct thread *me, struct hold *hold, const struct use *use)
{
	for (struct suspect *suspect = hold->suspects; suspect != NULL; suspect = suspect->next)
		if (conflict(&suspect->use, use) && !is_ordered(&suspect->use, me))
			return (struct finding){.found = true, .first = suspect->use, .second = *use};
	return (struct finding){.found = false};
}

static void remember(struct hold *hold, const struct use *use)
{
	for (unsigned i = 0; i < hold->use_count; i++)
		if (hold->uses[i].low == use->low && hold->uses[i].high == use->high && hold->uses[i].kind == use->kind)
			return;
	if (hold->use_count < MOST_USES)
		hold->uses[hold->use_count++] = *use;
}

static bool holds_lock(const struct thread *me, uintptr_t lock_address)
{
	for (unsigned i = 0; i < me->held_count; i++)
		if (me->held[i].lock == lock_address)
			return true;
	return false;
}

static uint64_t user_bit(const struct thread *me)
{
	return (uint64_t)1 << me->number % 64;
}

/* Locks that every use so far had, as the object's candidates in Eraser's sense. */
static void keep_guards(struct kard_object *object, const struct thread *me)
{
	if (!object->was_used) {
		object->was_used = true;
		for (unsigned i = 0; i < me->held_count && object->guard_count < MOST_GUARDS; i++)
			object->guards[object->guard_count++] = me->held[i].lock;
		return;
	}
	for (unsigned i = 0; i < object->guard_count;)
		if (holds_lock(me, object->guards[i]))
			i++;
		else
			object->guards[i] = object->guards[--object->guard_count];
}

/* Lines 10 to 25 of algorithm 1. */
static struct finding check(struct thread *me, struct kard_object *object, const struct use *use)
{
	bool writes = (use->kind & ACCESS_WRITE) != 0, inside = me->sections > 0;
	if (writes && object->domain == DOMAIN_READ_ONLY && inside)
		object->domain = DOMAIN_READ_WRITE;
	if (object->key == NULL) {
		if (!inside || (most_keys > 0 && !writes))
			return (struct finding){.found = false};
		assign_key(me, object);
	}
	take_as_entered(object->key);
	keep_guards(object, me);
	object->users |= user_bit(me);
	struct hold *other = obstacle(me, object->key, writes);
	struct finding finding = {.found = false};
	if (other != NULL) {
		finding = compare(me, other, use);
		object->is_suspected = !finding.found;
	}
	if (other == NULL && inside)
		acquire(section_of(me), object->key, writes);
	if (inside)
		need(section_of(me)->section, object, writes);
	struct hold *hold = hold_of(me, object->key);
	if (hold != NULL) {
		if (!finding.found)
			finding = confirm(me, hold, use);
		remember(hold, use);
	}
	return finding;
}

void kard_access(struct thread *me, uintptr_t address, size_t size, unsigned kind, struct site site)
{
	bool inside = me->sections > 0;
	/* Outside of sections only shared objects matter; most memory is not. */
	if (!inside && kard_object_at(address) == NULL)
		return;
	/* What it finds it finds once: a handler that jumped out between would take it along. */
	bool kept = spin_begin();
	struct use use = {.low = address,
			.high = address + size,
			.kind = kind,
			.where = stack_of(me, site.pc, site.sp),
			.locks = lockset_of(me),
			.slot = me->slot,
			.segment = me->segment};
	spin_lock(&lock.spin);
	struct kard_object *object = inside ? kard_object_identify(address) : kard_object_at(address);
	struct finding finding = {.found = false};
	if (object != NULL) {
		finding = check(me, object, &use);
		protect(object);
	}
	spin_unlock(&lock.spin);
	if (finding.found)
		report(me, &finding);
	spin_done(kept);
}

bool kard_is_inside(const struct thread *me)
{
	return me->sections > 0;
}

bool kard_permits(struct thread *me, uintptr_t address, bool writes, unsigned *key)
{
	spin_lock(&lock.spin);
	const struct kard_object *object = kard_object_at(address);
	bool permits = object != NULL && !object->is_suspected;
	if (permits && object->key == NULL) {
		*key = KEY_READ_ONLY;
		permits = !writes;
	} else if (permits) {
		take_as_entered(object->key);
		const struct hold *hold = hold_of(me, object->key);
		*key = object->key->number;
		permits = hold != NULL && (hold->writes || !writes);
	}
	spin_unlock(&lock.spin);
	return permits;
}

static void add_entry(struct entry *entry)
{
	entry->earlier = latest;
	entry->later = NULL;
	*(latest == NULL ? &earliest : &latest->later) = entry;
	latest = entry;
}

static void remove_entry(struct entry *entry)
{
	*(entry->earlier == NULL ? &earliest : &entry->earlier->later) = entry->later;
	*(entry->later == NULL ? &latest : &entry->later->earlier) = entry->earlier;
}

void kard_enter(struct thread *me, uint32_t where)
{
	spin_lock(&lock.spin);
	struct kard_thread *mine = of(me);
	if (me->sections < MOST_LOCKS) {
		struct entry *entry = &mine->entries[me->sections++];
		*entry = (struct entry){.owner = me, .depth = me->sections, .section = where, .at = ++now};
		add_entry(entry);
		keys_section(me);
	}
	spin_unlock(&lock.spin);
}

/*
 * The holder used other bytes of the object, or the object is gone. Or the holder has never used it: its section has the
 * key since another thread ran through the same place in the code with an object of its own. Or one lock was held at each
 * use of it: then locks are used consistently, and the holder's section only needed the key at another time.
 */
static bool is_pruned(const struct hold *hold, const struct use *use)
{
	struct kard_object *object = kard_object_at(use->low);
	if (object == NULL || object->guard_count > 0 || (object->users & user_bit(hold->owner)) == 0)
		return true;
	for (unsigned i = 0; i < hold->use_count; i++)
		if (hold->uses[i].low - object->address < object->size)
			return true;
	return false;
}

/* What nobody confirmed: pruned, or unconfirmed. */
static struct finding give_up_suspects(struct hold *hold)
{
	struct finding finding = {.found = false};
	while (hold->suspects != NULL) {
		struct suspect *suspect = hold->suspects;
		hold->suspects = suspect->next;
		if (!finding.found && !is_pruned(hold, &suspect->use) && hold->use_count < MOST_USES) {
			finding = (struct finding){.found = true, .unconfirmed = true, .second = suspect->use};
			finding.first = finding.second;
			finding.first.where = hold->section;
			finding.first.locks = lockset_of(hold->owner);
			finding.first.slot = hold->owner->slot;
			finding.first.segment = hold->owner->segment;
			finding.first.kind = hold->writes ? ACCESS_WRITE : ACCESS_READ;
		}
		pages_give(suspect, sizeof *suspect);
	}
	return finding;
}

static void release(struct hold *hold)
{
	struct hold **place = &hold->key->holds;
	while (*place != hold)
		place = &(*place)->next_of_key;
	*place = hold->next_of_key;
	give_up_key(hold->key);
	hold->next_of_key = spare_holds;
	spare_holds = hold;
}

void kard_exit(struct thread *me)
{
	struct finding finding = {.found = false};
	spin_lock(&lock.spin);
	struct kard_thread *mine = of(me);
	if (me->sections > 0)
		remove_entry(&mine->entries[--me->sections]);
	keys_section(me);
	for (struct hold **place = &mine->holds; *place != NULL;) {
		struct hold *hold = *place;
		if (hold->depth <= me->sections) {
			if (hold->write_depth > me->sections) {
				hold->writes = false;
				hold->write_depth = 0;
			}
			place = &hold->next_of_thread;
			continue;
		}
		for (struct kard_object *object = hold->key->objects; object != NULL && hold->suspects != NULL;
				object = object->next_of_key) {
			object->is_suspected = false;
			protect(object);
		}
		struct finding one = give_up_suspects(hold);
		if (one.found)
			finding = one;
		*place = hold->next_of_thread;
		release(hold);
	}
	spin_unlock(&lock.spin);
	if (finding.found)
		report(me, &finding);
}

static void leave_key(struct kard_object *object)
{
	if (object->key == NULL)
		return;
	struct kard_object **place = &object->key->objects;
	while (*place != object)
		place = &(*place)->next_of_key;
	*place = object->next_of_key;
	give_up_key(object->key);
}

void kard_free(uintptr_t address, size_t size)
{
	(void)size;
	if (kard_object_at(address) == NULL)
		return;
	spin_lock(&lock.spin);
	struct kard_object *object = kard_object_at(address);
	if (object != NULL) {
		leave_key(object);
		kard_object_forget(object);
	}
	spin_unlock(&lock.spin);
}

void kard_after_fork(struct thread *me)
{
	spin_unlock(&lock.spin);
	/* The other threads do not exist here. */
	for (struct entry *entry = earliest; entry != NULL; entry = entry->later) {
		if (entry->owner == me)
			continue;
		remove_entry(entry);
		struct kard_thread *its = of(entry->owner);
		entry->owner->sections = 0;
		while (its->holds != NULL) {
			struct hold *hold = its->holds;
			its->holds = hold->next_of_thread;
			release(hold);
		}
	}
}
