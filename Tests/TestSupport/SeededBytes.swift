// SPDX-License-Identifier: Apache-2.0

import CrashTrials
import PowerAuthCore
import Synchronization

package typealias SeededGenerator = CrashTrials.SeededGenerator

extension SeededGenerator {
  /// Text of nearly the same shape: one to three letters are replaced, inserted or removed.
  package mutating func changed(_ sample: String, alphabet: [Character]) -> String {
    var letters = Array(sample)
    for _ in 0..<Int.random(in: 1...3, using: &self) {
      let place = Int.random(in: 0..<letters.count, using: &self)
      guard let letter = alphabet.randomElement(using: &self) else { continue }
      switch Int.random(in: 0..<3, using: &self) {
      case 0: letters[place] = letter
      case 1: letters.insert(letter, at: place)
      default: if letters.count > 1 { letters.remove(at: place) }
      }
    }
    return String(letters)
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
