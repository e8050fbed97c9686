// SPDX-License-Identifier: Apache-2.0

/// Which numbers codes are sent to. Keeps an institution from paying for messages that only enrich the owner of the
/// number (SMS pumping, Rubix §8.2).
package struct PhonePolicy: Sendable {
  package enum Verdict: Sendable, Equatable {
    case accepted(PhoneNumber)
    /// Not E.164.
    case malformed
    /// The country is not on the institution's list.
    case countryNotServed
    /// A premium, shared-cost, satellite or network range, which no personal phone has.
    case premium
    /// The country's plan says that this is no mobile number.
    case notMobile
  }

  /// The word among prefixes that serves every country.
  package static let everywhere = "all"

  /// E.164 prefixes that are served, without `+`; `1` is all of North America, `1441` Bermuda. Nil serves every country.
  package let servedPrefixes: Set<String>?
  package let requiresMobile: Bool

  package init(servedPrefixes: Set<String>? = nil, requiresMobile: Bool = true) {
    self.servedPrefixes = servedPrefixes.flatMap { $0.contains(Self.everywhere) ? nil : $0 }
    self.requiresMobile = requiresMobile
  }

  package func check(_ text: String) -> Verdict {
    guard let number = PhoneNumber(text) else { return .malformed }
    // The longest code has seven digits, so a few look-ups decide.
    let prefixes = (1...7).map { String(number.digits.prefix($0)) }
    if prefixes.contains(where: Self.premiumPrefixes.contains) { return .premium }
    if let servedPrefixes, !prefixes.contains(where: servedPrefixes.contains) { return .countryNotServed }
    guard requiresMobile, let plan = prefixes.compactMap({ Self.mobilePlans[$0] }).first else {
      return .accepted(number)
    }
    return plan.holds(number) ? .accepted(number) : .notMobile
  }

  /// How a country's mobile numbers look.
  struct MobilePlan: Sendable {
    let countryCode: String
    /// Digits after the country code.
    let lengths: ClosedRange<Int>
    /// What they begin with.
    let leading: [String]

    func holds(_ number: PhoneNumber) -> Bool {
      let national = number.digits.dropFirst(countryCode.count)
      return lengths.contains(national.count) && leading.contains { national.hasPrefix($0) }
    }
  }
}
