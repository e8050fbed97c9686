// SPDX-License-Identifier: Apache-2.0

import Forms
import RubixWire
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: a form as the person who decides reads it", .storeless)
struct FilledFormTests {
  private static func lines(_ answers: FormAnswers, _ template: ComplianceTemplate) throws -> [String] {
    try answers.filled(by: template).map { answer in
      switch answer.value {
      case .yes: "\(answer.question.english): yes"
      case .no: "\(answer.question.english): no"
      case .words(let words): "\(answer.question.english): \(words.map(\.english).joined(separator: " | "))"
      }
    }
  }

  @Test("the answers stand under the questions of the form, in its order, rows of a repeated part one after another")
  func crs() throws {
    let submission = ComplianceSamples.crs([
      .init(country: "DE", tin: "86095742719"), .init(country: "KW", noTINReason: .init(rawValue: "A")),
    ])
    let lines = try Self.lines(.crs(submission), .standardCRS)
    let residences = [
      "Country of tax residence: DE", "Taxpayer number: 86095742719", "Country of tax residence: KW",
      "Why there is no number: The country issues no numbers to its residents",
    ]
    let first = try #require(lines.firstIndex(of: residences[0]))
    #expect(Array(lines[first..<min(first + 4, lines.count)]) == residences)
    #expect(lines.prefix(2) == ["Title: Ms", "Family name: Mustermann"])
    let home = submission.results.residenceAddress
    let address = [home.line1, home.line2, home.city, home.region, home.postalCode, home.country]
      .compactMap(\.self).joined(separator: " | ")
    #expect(lines.contains("Current residence address (no P.O. box): \(address)"))
    // Nothing that was left out stands there.
    #expect(!lines.contains { $0.hasPrefix("Middle names") || $0.hasSuffix(": ") })
  }

  @Test(
    "a rate of withholding is read with its fraction, and as a whole number without one",
    arguments: [
      (7.5, "7.5"), (15, "15"), (0, "0"),
    ])
  func rate(rate: Double, text: String) throws {
    var submission = ComplianceSamples.fatca
    submission.results.w8ben?.treaty = .init(country: "DE", article: "10", rate: rate)
    let lines = try Self.lines(.fatca(submission), .standardFATCA)
    #expect(lines.contains("Rate of withholding, per cent: \(text)"))
  }

  @Test("each form that a customer may send has an answer for each question that has to be answered")
  func all() throws {
    let forms: [(FormAnswers, ComplianceTemplate)] = [
      (.crs(ComplianceSamples.crs()), .standardCRS), (.fatca(ComplianceSamples.fatca), .standardFATCA),
      (.kyc(ComplianceSamples.kyc), .standardKYC),
    ]
    for (answers, template) in forms {
      let filled = try answers.filled(by: template)
      let asked = template.sections.flatMap(\.questions).filter { $0.rules.required && $0.rules.dependsOn == nil }
      let sections = template.sections.filter { $0.level == 1 }.flatMap(\.questions).map(\.id)
      for question in asked where sections.contains(question.id) {
        #expect(filled.contains { $0.question.english == question.title }, "\(template.name): \(question.id)")
      }
      #expect(filled.allSatisfy { $0.question.arabic != nil })
    }
  }
}
