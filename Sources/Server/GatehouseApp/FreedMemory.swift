// SPDX-License-Identifier: Apache-2.0

import CMemory
import Foundation

/// What becomes of memory that was freed.
package enum FreedMemory {
  /// Heaps that threads share, no more than can be used at once. Each keeps its own, so this bounds what is kept: 64 MiB
  /// in all, and 32 on two processors.
  private static let heapsMax = CInt(min(4, max(2, ProcessInfo.processInfo.activeProcessorCount)))
  /// Bytes at the end of a heap that are kept for the next use; glibc's own limit is 128 KiB.
  private static let keptMax: CInt = 16 << 20
  /// Bytes by which a heap grows beyond what was asked for.
  private static let growth: CInt = 1 << 20
  /// Larger pieces, as of bodies and pictures, go back to the system at once. In a heap they leave holes between small
  /// pieces that stay (docs/decisions, 296).
  private static let piecesMax: CInt = 256 << 10

  /// Keeps it. By itself glibc gives the end of a heap back as soon as it is free and asks for it again a moment later:
  /// a node that books transfers spent between a sixth and a third of its time with that (docs/decisions, 41).
  package static func keep() {
    // A refusal leaves it as it was, which is slower and nothing worse.
    _ = mallopt(M_ARENA_MAX, heapsMax)
    _ = mallopt(M_TRIM_THRESHOLD, keptMax)
    _ = mallopt(M_TOP_PAD, growth)
    _ = mallopt(M_MMAP_THRESHOLD, piecesMax)
  }
}
