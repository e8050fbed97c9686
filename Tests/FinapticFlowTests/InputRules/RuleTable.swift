// SPDX-License-Identifier: Apache-2.0

import FinapticFlow
import FinapticWire
import Kit
import Testing

/// Rules at an instant at which Toronto has 21 November 2026, over the lists that come with the program.
enum RuleTable {
  static let now = Instant(milliseconds: 1_795_240_800_000)
  static let id = "0b0e7a8e-6f5c-4c8b-9a55-2f6b3b9d1c11"

  /// Read once: it is most of what a rule costs here.
  private static let catalogue = Result { try ReferenceFiles.shipped() }

  static func rules() throws -> InputRules { InputRules(catalogue: try catalogue.get(), now: now) }

  /// The paths that are refused, in their order; empty when all is taken.
  static func refused(_ rule: (InputRules) throws -> Void) throws -> [String] {
    do {
      try rule(try rules())
      return []
    } catch let problem as Problem {
      #expect(problem.category == .unprocessable && !problem.fields.isEmpty)
      return problem.fields.map(\.pointer)
    }
  }

  static func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

  static var home: FinapticAPI.Address {
    .init(
      type: "HOME", line1: "350 Bay Street", locality: "Toronto", area: "Ontario", postalCode: "M5H 2S6",
      country: "Canada")
  }

  static var work: FinapticAPI.Address {
    var work = home
    work.type = "WORK"
    return work
  }

  static var employment: FinapticAPI.Employment {
    .init(
      employmentStatus: "EMPLOYMENT_STATUS_EMPLOYED", employerName: "Finaptic", industry: "236110",
      occupation: "OCCUPATION_8255_CONTRACTOR_AND_SUPERVISOR_LANDSCAPING", startDate: "2019-01-01",
      endDate: "2020-12-31", workAddress: work, phoneNumber: .init(smsCompatible: true, number: "+15141234567"))
  }
}
