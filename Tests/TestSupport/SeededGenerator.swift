import PowerAuthCore
import Synchronization

/// Repeatable chance for tests (SplitMix64): the same seed, the same numbers.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  package mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 32) }
  }
}

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
