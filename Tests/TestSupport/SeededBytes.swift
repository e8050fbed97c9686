import CrashTrials
import PowerAuthCore
import Synchronization

package typealias SeededGenerator = CrashTrials.SeededGenerator

/// Bytes for many callers at once: the same seed, the same bytes.
package final class SeededBytes: Sendable {
  private let generator: Mutex<SeededGenerator>

  package init(_ seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

  package func next(_ count: Int) -> [UInt8] {
    generator.withLock { generator in (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) } }
  }
}

extension Randomness {
  /// The same bytes for the same seed, from any thread.
  package static func seeded(_ seed: UInt64) -> Randomness {
    let bytes = SeededBytes(seed)
    return Randomness { bytes.next($0) }
  }
}
