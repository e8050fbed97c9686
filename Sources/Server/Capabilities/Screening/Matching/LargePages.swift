// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Memory in pages of two megabytes: the processor knows the addresses of 512 times as many bytes as with pages of four
/// kilobytes. A search reads here and there in some hundreds of megabytes, and waits for an address each time otherwise.
enum LargePages {
  /// `MADV_COLLAPSE` of Linux 6.1 and later, which headers of older C libraries lack.
  private static let collapse: CInt = 25
  private static let size: UInt = 2 << 20
  /// Whether the system lets programs have such pages. `MADV_COLLAPSE` itself does not heed an operator's `never`.
  private static let areAllowed =
    (try? String(contentsOfFile: "/sys/kernel/mm/transparent_hugepage/enabled", encoding: .utf8))
    .map { !$0.contains("[never]") } ?? false

  /// Moves what an array holds into large pages, as far as it fills such; for the program it stays where it is. It is
  /// for arrays that are kept for long: moving takes about as long as copying.
  static func hold<Element>(_ array: [Element]) {
    #if os(Linux)
      array.withUnsafeBytes { bytes in
        let start = UInt(bitPattern: bytes.baseAddress)
        let (first, end) = ((start + size - 1) & ~(size - 1), (start + UInt(bytes.count)) & ~(size - 1))
        guard first < end, areAllowed else { return }
        // A refusal leaves small pages, which is slower and nothing worse.
        _ = madvise(UnsafeMutableRawPointer(bitPattern: first), Int(end - first), collapse)
      }
    #endif
  }
}
