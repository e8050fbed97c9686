// SPDX-License-Identifier: Apache-2.0

import CrashTrials
import Specimens

/// How worn the pictures of one part of `bench evidence` are. What happens to one picture follows from its seed.
struct EvidenceWear: Sendable, Hashable {
  let name: String
  private let kind: Kind

  private enum Kind: Hashable {
    case unworn, moderate, strong, turned
    /// The same for every picture.
    case own([Degradation])
  }

  /// Those that have a name: a scan; a careful customer's photograph; a careless one's; a careful one lying any way
  /// round.
  static let named = ["unworn", "moderate", "strong", "turned"]

  /// - Returns: nil for an unknown name.
  init?(_ name: String) {
    switch name {
    case "unworn": kind = .unworn
    case "moderate": kind = .moderate
    case "strong": kind = .strong
    case "turned": kind = .turned
    default: return nil
    }
    self.name = name
  }

  /// - Parameter name: what the report calls it.
  init(_ name: String, own: [Degradation]) {
    self.name = name
    kind = .own(own)
  }

  /// Strength 1 is what a careful customer's picture shows; at 2 a quality check should complain.
  func degradations(seed: UInt64) -> [Degradation] {
    var random = SeededGenerator(seed: name.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 })
    switch kind {
    case .unworn: return []
    case .moderate: return Self.photograph(strength: 1, &random)
    case .strong: return Self.photograph(strength: 2, &random)
    case .turned: return [Degradation(.turn)] + Self.photograph(strength: 1, &random)
    case .own(let list): return list
    }
  }

  /// Seen from an angle, not straight, and with about half of what light, lens, sensor and file do.
  private static func photograph(strength: Double, _ random: inout SeededGenerator) -> [Degradation] {
    var list = [Degradation(.perspective, strength: strength), Degradation(.rotate, strength: strength)]
    for kind in [Degradation.Kind.shadow, .glare, .lowres, .blur, .noise] where random.next() % 5 < 2 {
      list.append(Degradation(kind, strength: strength))
    }
    return list + [Degradation(.jpeg, strength: strength)]
  }
}
