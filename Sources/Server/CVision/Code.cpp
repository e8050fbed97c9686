// SPDX-License-Identifier: Apache-2.0

#include "CVision.h"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

/// Whether the loader wrote into an object's code as well (DT_TEXTREL), which would be lost. No library of Debian 12
/// that the program uses is such a one.
bool hasWrittenCode(const dl_phdr_info *object) {
  for (int at = 0; at < object->dlpi_phnum; at++) {
    const ElfW(Phdr) &part = object->dlpi_phdr[at];
    if (part.p_type != PT_DYNAMIC) continue;
    auto entry = reinterpret_cast<const ElfW(Dyn) *>(object->dlpi_addr + part.p_vaddr);
    for (; entry->d_tag != DT_NULL; entry++)
      if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL) != 0))
        return true;
  }
  return false;
}

int release(dl_phdr_info *object, size_t, void *) {
  if (hasWrittenCode(object)) return 0;
  const uintptr_t page = uintptr_t(sysconf(_SC_PAGESIZE));
  for (int at = 0; at < object->dlpi_phnum; at++) {
    const ElfW(Phdr) &part = object->dlpi_phdr[at];
    // What the loader wrote to (relocations) is in parts that are writable here.
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
