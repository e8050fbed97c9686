// SPDX-License-Identifier: Apache-2.0

/// A small deterministic generator: SplitMix64 (Steele, Lea, Flood 2014), with the draws that specimens need.
///
/// Each purpose takes its own stream (`for:`), so that a new draw in one place changes nothing in another.
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64, for purpose: String) {
    // FNV-1a over the purpose; Swift's own hashes differ from run to run.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in purpose.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    state = seed ^ hash
    _ = next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// 0 ..< 1
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  mutating func between(_ low: Double, _ high: Double) -> Double { low + (high - low) * unit() }

  mutating func whole(_ low: Int, _ high: Int) -> Int { low + Int(next() % UInt64(high - low + 1)) }

  /// A value in `size` with either sign, never near zero: a "moderate" amount of something that has two directions.
  mutating func signed(_ low: Double, _ high: Double) -> Double {
    chance(0.5) ? between(low, high) : -between(low, high)
  }

  mutating func chance(_ probability: Double) -> Bool { unit() < probability }

  mutating func pick<T>(_ values: [T]) -> T { values[whole(0, values.count - 1)] }

  mutating func digits(_ count: Int) -> String { String((0..<count).map { _ in pick(Array("0123456789")) }) }
}
