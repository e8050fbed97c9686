// SPDX-License-Identifier: Apache-2.0

/// What a tenant demands a second person for: postings above an amount, by currency, and kinds of acts whatever they
/// move.
package struct FourEyesPolicy: Sendable, Equatable {
  /// Acts that need a second person whatever they move.
  package enum Act: String, Sendable, CaseIterable, Comparable {
    /// What accounts cost and bring.
    case terms
    /// Corrections of interest.
    case interest
    /// Letting a frozen account or a blocked card pay, or a blocked user in, again.
    case unblock
    /// Freezing an account or blocking a card. Not among the standard ones: stopping counts at once.
    case block

    package static func < (one: Act, other: Act) -> Bool { one.rawValue < other.rawValue }
  }

  /// 10 000.00, until an operator says otherwise: the most, in minor units, that one person or program moves at once.
  package static let standardAmount: Int64 = 1_000_000

  /// Where customers are real, what changes many accounts or undoes a stop takes two; in a sandbox only large postings
  /// do, so that both ways can be tried.
  package static func standardActs(of kind: FinapticTenant.Kind) -> Set<Act> {
    kind == .production ? [.terms, .interest, .unblock] : []
  }

  package let acts: Set<Act>
  /// Whether an operator set them.
  package let hasOwnActs: Bool
  /// By currency (ISO 4217), in minor units.
  package let amounts: [String: Int64]

  /// The most that one moves without a second.
  package func amount(in currency: String) -> Int64 { amounts[currency] ?? Self.standardAmount }

  func demands(_ act: Act) -> Bool { acts.contains(act) }
  func demandsSecond(for minorUnits: Int64, in currency: String) -> Bool { minorUnits > amount(in: currency) }
}
