// SPDX-License-Identifier: Apache-2.0

/// Why an applicant was refused (finaptic §5.5), in the order in which several are looked at.
package enum FailureCode: String, Sendable, CaseIterable, Comparable, Codable {
  case ageOfMajority = "FAILURE_CODE_AGE_OF_MAJORITY"
  case idVerification = "FAILURE_CODE_ID_VERIFICATION"
  case idValidation = "FAILURE_CODE_ID_VALIDATION"
  case idExpired = "FAILURE_CODE_ID_EXPIRED"
  case idNameMatch = "FAILURE_CODE_ID_NAME_MATCH"
  case idBirthDateMatch = "FAILURE_CODE_ID_DOB_MATCH"
  case selfieValidation = "FAILURE_CODE_SELFIE_VALIDATION"
  case idSelfieMatch = "FAILURE_CODE_ID_SELFIE_MATCH"
  case unspecified = "FAILURE_CODE_DEFAULT"

  /// Whether no other attempt helps.
  package var isFinal: Bool { self == .ageOfMajority || self == .unspecified }

  private var rank: Int {
    switch self {
    case .ageOfMajority: 0
    case .idVerification, .idValidation, .idExpired, .idNameMatch, .idBirthDateMatch: 1
    case .selfieValidation: 2
    case .idSelfieMatch: 3
    case .unspecified: 4
    }
  }

  package static func < (one: FailureCode, other: FailureCode) -> Bool { one.rank < other.rank }

  /// The codes that an answer names: the ones that come first in the order of §5.5. A document may fail in several
  /// ways at once; what comes after it was not looked at.
  package static func first(of codes: some Sequence<FailureCode>) -> [FailureCode] {
    guard let lowest = codes.min() else { return [] }
    let named = Set(codes).filter { $0.rank == lowest.rank }
    return allCases.filter(named.contains)
  }
}
