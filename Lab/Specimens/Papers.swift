// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// What one document adds to its holder: number and dates.
package struct Papers: Sendable, Hashable, Codable {
  package var number: String
  /// Printed and put in the zone's optional data when the issuer gives one; nil otherwise.
  package var personalNumber: String?
  package var issueDate: CalendarDate
  package var expiryDate: CalendarDate
  package var authority: String

  package init(
    number: String, personalNumber: String?, issueDate: CalendarDate, expiryDate: CalendarDate, authority: String
  ) {
    self.number = number
    self.personalNumber = personalNumber
    self.issueDate = issueDate
    self.expiryDate = expiryDate
    self.authority = authority
  }

  /// Papers that are in force on the reference date, for more than a month to come.
  ///
  /// Numbers take any letter and digit in the places where they stand, also those that OCR confuses: a generator that
  /// avoided them would measure nothing.
  package static func random(
    _ kind: SpecimenKind, seed: UInt64, reference: CalendarDate, holder: Holder
  ) -> Papers {
    var draw = Seeded(seed, for: "papers \(kind.rawValue)")
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ").map(String.init)
    let mixed = letters + (0...9).map(String.init)
    let number: String
    switch kind {
    case .passport: number = draw.pick(letters) + draw.pick(letters) + draw.digits(7)
    case .idCard: number = draw.pick(letters) + (0..<7).map { _ in draw.pick(mixed) }.joined() + draw.digits(1)
    case .drivingLicence: number = draw.pick(letters) + draw.digits(8)
    }
    let hasPersonal = kind != .drivingLicence && draw.chance(0.5)
    // Never issued to a child: the youngest holder is 18, and the oldest paper less than two years old then.
    let years = min(9, max(1, holder.birthDate.age(on: reference) - 16))
    let issue = reference.later(days: -draw.whole(10, years * 365 - 60))
    return Papers(
      number: number,
      personalNumber: hasPersonal ? draw.digits(8) + draw.pick(letters) : nil,
      issueDate: issue,
      expiryDate: issue.later(years: 10, days: -1),
      authority: kind == .passport
        ? "PASSPORT OFFICE \(draw.pick(Names.towns).uppercased())"
        : kind == .idCard ? "CITY OF \(draw.pick(Names.towns).uppercased())" : "ROADS OFFICE UTOPIA"
    )
  }
}
