import Foundation
import SaltEdgeCore
import Synchronization

/// Random numbers that are the same in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func bytes(_ count: Int) -> Data {
    Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &self) })
  }
}

extension Randomness {
  /// A source that gives the same bytes in every run.
  static func seeded(_ seed: UInt64) -> Randomness {
    final class Source: Sendable {
      let generator: Mutex<SeededGenerator>
      init(_ seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }
    }
    let source = Source(seed)
    return Randomness { count in
      source.generator.withLock { generator in Array(generator.bytes(count)) }
    }
  }
}
