// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import RubixWire
import TestSupport
import Testing

@testable import Forms
@testable import ReferenceData

@Suite("Tax forms: what holds for any form", .storeless)
struct FormPropertyTests {
  private static let marker = "Zqx7Secret"

  /// A form of random parts, good and bad.
  private func form(_ random: inout SeededGenerator) -> CRSResults {
    var form = FormSamples.crs
    func spoil(_ text: inout String) {
      if Int.random(in: 0..<4, using: &random) == 0 {
        let bad = ["", " ", Self.marker, "\u{202E}", String(repeating: "x", count: 300)]
        text = bad[Int.random(in: bad.indices, using: &random)]
      }
    }
    spoil(&form.accountHolder.familyName)
    spoil(&form.accountHolder.firstName)
    spoil(&form.accountHolder.placeOfBirth.city)
    spoil(&form.accountHolder.placeOfBirth.country)
    spoil(&form.residenceAddress.line1)
    spoil(&form.residenceAddress.country)
    spoil(&form.declaration.signedName)
    let countries = ["DE", "KW", "US", "AE", "FR", "XX", Self.marker]
    form.taxResidences = (0..<Int.random(in: 0...7, using: &random)).map { _ in
      .init(
        country: countries.randomElement(using: &random) ?? "DE",
        tin: [nil, "", "86095742719", "123-45-6789", Self.marker].randomElement(using: &random) ?? nil,
        noTINReason: [nil, nil, .notIssued, .notObtainable, .notRequired, .init(rawValue: Self.marker)]
          .randomElement(using: &random) ?? nil,
        noTINExplanation: [nil, Self.marker, "I arrived here last week."].randomElement(using: &random) ?? nil)
    }
    form.declaration.accepted = Int.random(in: 0..<5, using: &random) != 0
    form.declaration.signedOn = WireDate(
      daysSince1970: FormSamples.today.daysSince1970 + Int.random(in: -2...2, using: &random))
    return form
  }

  @Test("no finding repeats an answer, and an accepted form keeps every rule that can be said in one line")
  func invariants() {
    var random = SeededGenerator(seed: 2026)
    var acceptedCount = 0
    for _ in 0..<2_000 {
      let form = form(&random)
      let review = CRSRules.check(form, verified: FormSamples.verified, today: FormSamples.today)
      for finding in review.errors + review.flags {
        #expect(!finding.message.contains(Self.marker) && !finding.field.contains(Self.marker))
        #expect(finding.field.hasPrefix("/results/"))
      }
      guard review.isAcceptable else { continue }
      acceptedCount += 1
      #expect((1...5).contains(form.taxResidences.count))
      #expect(Set(form.taxResidences.map(\.country)).count == form.taxResidences.count)
      #expect(form.taxResidences.allSatisfy { ($0.tin ?? "").isEmpty != ($0.noTINReason == nil) })
      #expect(form.taxResidences.allSatisfy { Country.with(alpha2: $0.country) != nil })
      #expect(form.declaration.accepted)
      #expect(abs(form.declaration.signedOn.daysSince1970 - FormSamples.today.daysSince1970) <= 1)
    }
    #expect(acceptedCount > 0)
  }

  @Test("the same form always gets the same review")
  func deterministic() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<200 {
      let form = form(&random)
      let first = CRSRules.check(form, verified: FormSamples.verified, today: FormSamples.today)
      #expect(first == CRSRules.check(form, verified: FormSamples.verified, today: FormSamples.today))
    }
  }

  @Test("whichever form comes second, the two directions agree on whether the person may be a US person")
  func symmetric() {
    for isUSResident in [true, false] {
      for isUSPerson in [true, false] {
        for isExplained in [true, false] {
          var crs = FormSamples.crs
          if isUSResident { crs.taxResidences.append(.init(country: "US", tin: "123-45-6789")) }
          if isExplained { crs.explanation = "I was a resident until June only." }
          let fatca = isUSPerson ? FormSamples.w9 : FormSamples.w8ben
          let one = CRSRules.check(crs, verified: FormSamples.verified, fatca: fatca, today: FormSamples.today)
          let other = FATCARules.check(fatca, verified: FormSamples.verified, crs: crs, today: FormSamples.today)
          #expect(one.isAcceptable == other.isAcceptable)
          #expect(one.isAcceptable == (!isUSResident || isUSPerson || isExplained))
        }
      }
    }
  }
}
