// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How long an institution keeps the file of an application after its last change. Read from the tenants file; nil
/// keeps it until an operator erases it. Images of unfinished applications go earlier, see `Tenant.retentionDays`.
package struct Retention: Sendable, Codable, Equatable {
  /// Abandoned and expired: nothing was decided.
  package var unfinishedDays: Int?
  /// Declined by an agent or an officer. Five years: what the law on money laundering commonly asks for (FATF
  /// recommendation 11).
  package var rejectedDays: Int?
  /// Became a customer: the period starts when they leave, which only the institution knows.
  package var completedDays: Int?

  package static let standard = Retention(unfinishedDays: 90, rejectedDays: 1826, completedDays: nil)

  package init(unfinishedDays: Int?, rejectedDays: Int?, completedDays: Int?) {
    self.unfinishedDays = unfinishedDays
    self.rejectedDays = rejectedDays
    self.completedDays = completedDays
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case unfinishedDays = "unfinished_days"
    case rejectedDays = "rejected_days"
    case completedDays = "completed_days"
  }

  /// A member that is not there is the standard; `null` keeps for ever.
  package init(from decoder: any Decoder) throws {
    let file = try decoder.container(keyedBy: CodingKeys.self)
    try MemberName.refuseOthers(than: CodingKeys.allCases.map(\.rawValue), in: decoder)
    func days(_ key: CodingKeys, _ standard: Int?) throws -> Int? {
      guard file.contains(key) else { return standard }
      let days = try file.decodeIfPresent(Int.self, forKey: key)
      guard days ?? 1 >= 1 else {
        throw DecodingError.dataCorruptedError(forKey: key, in: file, debugDescription: "at least one day, or null")
      }
      return days
    }
    unfinishedDays = try days(.unfinishedDays, Self.standard.unfinishedDays)
    rejectedDays = try days(.rejectedDays, Self.standard.rejectedDays)
    completedDays = try days(.completedDays, Self.standard.completedDays)
  }

  package func encode(to encoder: any Encoder) throws {
    var file = encoder.container(keyedBy: CodingKeys.self)
    try file.encode(unfinishedDays, forKey: .unfinishedDays)
    try file.encode(rejectedDays, forKey: .rejectedDays)
    try file.encode(completedDays, forKey: .completedDays)
  }

  /// The ends that an application can have, each with how long its file stays.
  var periods: [(phase: ApplicationPhase, days: Int)] {
    [
      (ApplicationPhase.abandoned, unfinishedDays), (.expired, unfinishedDays), (.rejected, rejectedDays),
      (.completed, completedDays),
    ].compactMap { phase, days in days.map { (phase, $0) } }
  }
}

/// How long the installation keeps data that belong to no single institution.
package struct InstallationRetention: Sendable, Equatable {
  /// Messages that were kept instead of sent.
  package var messages = Duration.days(7)
  /// Screenings that a newer one of the same person replaced.
  package var replacedScreenings = Duration.days(1826)
  /// Audit chains of people who were erased; all others stay.
  package var erasedChains = Duration.days(3653)

  package static let standard = InstallationRetention()
}
