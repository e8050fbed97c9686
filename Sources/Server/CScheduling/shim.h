// SPDX-License-Identifier: Apache-2.0

#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// As sched_setattr(2) has it. glibc has had a wrapper since 2.41 alone, and linux/sched/types.h does not go with it.
struct cscheduling_attributes {
  uint32_t size;
  uint32_t policy;
  uint64_t flags;
  int32_t niceness;
  uint32_t priority;
  uint64_t slice;
  uint64_t deadline;
  uint64_t period;
};

/// Nanoseconds of the longest slice that Linux gives.
static const uint64_t cscheduling_longest_slice = 100000000;

/// Nanoseconds that a thread asks for at a time; 0 where the kernel does not tell, and before Linux 6.12. `thread` 0 is
/// the calling one.
static inline uint64_t cscheduling_slice(int thread) {
  struct cscheduling_attributes attributes;
  memset(&attributes, 0, sizeof(attributes));
  return syscall(SYS_sched_getattr, thread, &attributes, sizeof(attributes), 0) == 0 ? attributes.slice : 0;
}

/// A thread, and those that it starts later, ask for the longest slice of a processor: since Linux 6.12 a thread that
/// asks for a shorter one has the processor as soon as it wakes, where it waited for the end of a slice. Each has as
/// much of the processor as before. Earlier kernels take no notice of it. `thread` 0 is the calling one. Where the
/// kernel refuses it, the thread stays as it was.
static inline void cscheduling_take_long_slices(int thread) {
  struct cscheduling_attributes attributes;
  memset(&attributes, 0, sizeof(attributes));
  if (syscall(SYS_sched_getattr, thread, &attributes, sizeof(attributes), 0) != 0) return;
  attributes.size = sizeof(attributes);
  attributes.slice = cscheduling_longest_slice;
  syscall(SYS_sched_setattr, thread, &attributes, 0);
}
