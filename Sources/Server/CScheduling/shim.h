// SPDX-License-Identifier: Apache-2.0

#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// glibc has had a wrapper since 2.41 alone, and linux/sched/types.h does not go with it.
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

/// Nanoseconds that a thread asks for at a time; 0 where the kernel does not tell, and before Linux 6.12. `thread` 0 is
/// the calling one.
static inline uint64_t cscheduling_slice(int thread) {
  struct cscheduling_attributes attributes;
  memset(&attributes, 0, sizeof(attributes));
  return syscall(SYS_sched_getattr, thread, &attributes, sizeof(attributes), 0) == 0 ? attributes.slice : 0;
}

/// A thread, and those that it starts later, ask for so many nanoseconds at a time: 100,000 to 100,000,000; 0 for what
/// is usual. Policy and niceness stay. Kernels before Linux 6.12 take no notice of it. `thread` 0 is the calling one.
/// Returns 0, or -1 where the kernel refuses it.
static inline int cscheduling_set_slice(int thread, uint64_t nanoseconds) {
  struct cscheduling_attributes attributes;
  memset(&attributes, 0, sizeof(attributes));
  if (syscall(SYS_sched_getattr, thread, &attributes, sizeof(attributes), 0) != 0) return -1;
  attributes.size = sizeof(attributes);
  attributes.slice = nanoseconds;
  return (int)syscall(SYS_sched_setattr, thread, &attributes, 0);
}
