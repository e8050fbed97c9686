// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Has long arrays kept in the processor's large pages. A search reads here and there in hundreds of megabytes, and
/// with pages of four kilobytes it also waits for where the page is.
///
/// Where the system has no large pages, or denies them, nothing changes but the time that searches take.
enum LargePages {
  /// The size of a large page of x86-64, and of ARM with pages of four kilobytes.
  static let bytes = 2 << 20

  /// Linux 6.1 puts the pages together at once (`madvise(2)`: MADV_COLLAPSE), older ones by and by (MADV_HUGEPAGE).
  /// Both numbers are part of the interface of the kernel.
  private static let collapse: Int32 = 25
  private static let collapseLater: Int32 = 14

  /// Asks for large pages for an array that is not changed any more.
  static func hold<Element>(_ array: [Element]) {
    #if os(Linux)
      array.withUnsafeBytes { region in
        guard let inner = inner(of: region), let start = UnsafeMutableRawPointer(mutating: inner.baseAddress) else {
          return
        }
        if madvise(start, inner.count, collapse) != 0 { _ = madvise(start, inner.count, collapseLater) }
      }
    #endif
  }

  /// The large pages that lie in a region with every byte; nil when there is none.
  static func inner(of region: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard let base = region.baseAddress else { return nil }
    let skipped = -Int(bitPattern: base) & (bytes - 1)
    let count = (region.count - skipped) & ~(bytes - 1)
    return count > 0 ? UnsafeRawBufferPointer(rebasing: region[skipped..<skipped + count]) : nil
  }
}
