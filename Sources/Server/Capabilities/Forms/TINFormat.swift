// SPDX-License-Identifier: Apache-2.0

/// Whether a taxpayer number has the form that its country gives out (Rubix §7.3).
///
/// A format check only: a well-formed number may never have been issued, or be another person's, so no answer of this
/// type calls a number verified. Dates inside a number are not judged either.
package enum TINFormat: Hashable, Sendable {
  case wellFormed
  /// Well-formed, but of a kind that companies and other bodies have.
  case wellFormedForOrganisation
  /// Too long, too short or with characters that do not belong there.
  case malformed
  /// The right form, but a check digit or check letter that does not fit: most often a slip of the pen.
  case wrongCheckDigit

  /// The format of `tin` as a number of `country` (ISO 3166-1 alpha-2). Spaces, full stops, hyphens and slashes between
  /// the characters and lower-case letters are let pass, as people write them.
  package static func check(_ tin: String, of country: String) -> TINFormat {
    guard let written = TINText(tin) else { return .malformed }
    let characters = written.compact
    return switch country {
    case "US": unitedStates(written)
    case "GB": unitedKingdom(characters)
    case "DE": germany(characters)
    case "FR": france(characters)
    case "IT": italy(characters)
    case "ES": spain(characters)
    case "NL": netherlands(characters)
    case "PL": poland(characters)
    case "SE": sweden(characters)
    case "IN": india(characters)
    case "BR": brazil(characters)
    case "SG": singapore(characters)
    case "AU": australia(characters)
    case "CA": canada(characters)
    case "CH": switzerland(characters)
    default: other(written)
    }
  }

  /// The countries whose format is known more exactly than "others"; they are known to issue numbers to individuals.
  package static let knownCountries: Set<String> = [
    "US", "GB", "DE", "FR", "IT", "ES", "NL", "PL", "SE", "IN", "BR", "SG", "AU", "CA", "CH",
  ]

  /// Whether the number may stand in a form.
  package var isAcceptable: Bool {
    switch self {
    case .wellFormed, .wellFormedForOrganisation: true
    case .malformed, .wrongCheckDigit: false
    }
  }

  /// Any other country: 3–25 of A–Z, 0–9 and `-/. `, as written, at least one of them a letter or digit.
  private static func other(_ written: TINText) -> TINFormat {
    (3...25).contains(written.whole.count) && !written.compact.isEmpty ? .wellFormed : .malformed
  }
}
