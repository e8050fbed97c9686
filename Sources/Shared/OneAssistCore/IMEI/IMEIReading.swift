// SPDX-License-Identifier: Apache-2.0

/// What the text of a screenshot of the system's identifiers gives (specification §5.2).
public struct IMEIReading: Sendable, Hashable {
  /// The first slot's, by its label or else by its place.
  public let primary: IMEI
  /// The second slot's.
  public let secondary: IMEI?
  /// Whether letters had to be taken for digits in either of them, so that a reviewer looks twice.
  public let isRepaired: Bool
  /// Whether there were more than two; the first two are kept.
  public let isCrowded: Bool

  /// Unicode scalars of text that are looked at; a screenshot has a few hundred.
  public static let textMax = 65_536

  /// Reads the text of a screenshot, as a recogniser gives it.
  /// - Parameter allowsTest: whether test numbers count; in debug mode only.
  /// - Returns: nil when there is no IMEI in it: error 4001.
  public init?(text: String, allowsTest: Bool = false) {
    var found: [IMEICandidate] = []
    for candidate in IMEICandidate.all(in: text) where allowsTest || !candidate.imei.isTest {
      if let known = found.firstIndex(where: { $0.imei == candidate.imei }) {
        // The same number once more: what was read without a repair counts.
        if found[known].isRepaired { found[known] = candidate }
      } else {
        found.append(candidate)
      }
    }
    // What is labelled as the second is behind the rest, which keep their places.
    let ordered = found.filter { $0.slot == 1 } + found.filter { $0.slot == nil } + found.filter { $0.slot == 2 }
    guard let first = ordered.first else { return nil }
    primary = first.imei
    secondary = ordered.dropFirst().first?.imei
    isRepaired = ordered.prefix(2).contains(where: \.isRepaired)
    isCrowded = ordered.count > 2
  }
}
