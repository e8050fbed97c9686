// SPDX-License-Identifier: Apache-2.0

#include "CVision.h"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

int release(dl_phdr_info *object, size_t, void *) {
  const uintptr_t page = uintptr_t(sysconf(_SC_PAGESIZE));
  for (int at = 0; at < object->dlpi_phnum; at++) {
    const ElfW(Phdr) &part = object->dlpi_phdr[at];
    // What the loader wrote to (relocations) is in parts that are writable here, and nowhere else.
    if (part.p_type != PT_LOAD || (part.p_flags & PF_W) != 0) continue;
    const uintptr_t start = object->dlpi_addr + part.p_vaddr, end = start + part.p_filesz;
    const uintptr_t from = (start + page - 1) / page * page, to = end / page * page;
    // A refusal leaves the pages where they are.
    if (from < to) madvise(reinterpret_cast<void *>(from), to - from, MADV_DONTNEED);
  }
  return 0;
}

}  // namespace

void cvision_return_code(void) { dl_iterate_phdr(release, nullptr); }
