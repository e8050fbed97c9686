// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Testing

@Suite("Names: how well two of them agree")
struct NameComparisonTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let a: PersonName
    let b: PersonName
    let level: NameComparison.Level
    var testDescription: String { "\(a.primary)/\(a.secondary) and \(b.primary)/\(b.secondary): \(level)" }

    init(
      _ a: (String, String), _ b: (String, String), _ level: NameComparison.Level, truncated: Bool = false
    ) {
      self.a = PersonName(primary: a.0, secondary: a.1)
      self.b = PersonName(primary: b.0, secondary: b.1, possiblyTruncated: truncated)
      self.level = level
    }
  }

  static let cases = [
    Case(("Eriksson", "Anna Maria"), ("ERIKSSON", "ANNA MARIA"), .exact),
    Case(("Müller", "Jürgen"), ("MUELLER", "JUERGEN"), .exact),
    Case(("O'Connor", "Enya"), ("OCONNOR", "ENYA"), .exact),
    Case(("Smith-Jones", "Susie"), ("SMITH JONES", "SUSIE"), .exact),
    Case(("Dr. Groß", "Åse"), ("GROSS", "AASE"), .exact),
    Case(("Щербаков", "Юрий"), ("SHCHERBAKOV", "IURII"), .exact),
    Case(("Müller", "Jürgen"), ("MULLER", "JURGEN"), .equivalent),
    Case(("Müller", "Jürgen"), ("MUXXLLER", "JUXXRGEN"), .equivalent),
    Case(("Nuñez", "José"), ("NUNXXEZ", "JOSE"), .equivalent),
    Case(("Sørensen", "Bo"), ("SORENSEN", "BO"), .equivalent),
    Case(("ERIKSSON", "ANNA MARIA"), ("ANNA", "MARIA ERIKSSON"), .equivalent),
    Case(("CACADOR DE ARAUJO", "ANDRE ESTEVAO"), ("CACADOR DE ARAUJO", "ANDRE ESTEV"), .truncated, truncated: true),
    Case(
      ("NILAVADHANANANDA", "CHAYAPA DEJTHAMRONG KRASUANG"), ("NILAVADHANANANDA", "CHAYAPA DE K"), .truncated,
      truncated: true),
    Case(("CACADOR DE ARAUJO", "ANDRE ESTEVAO"), ("CACADOR DE ARAUJO", "ANDRE ESTEV"), .similar),
    Case(("SMITHSON", "ANNA"), ("SMITH", "ANNA"), .different, truncated: true),
    Case(("ERIKSSON", "ANNA MARIA"), ("ERIKSSON", "ANNA"), .partial),
    Case(("ERIKSSON", "ANNA MARIA"), ("ERIKSSON", "ANNA M"), .partial),
    Case(("ERIKSSON", "ANNA MARIA"), ("ERIKSSON", ""), .different),
    Case(("ERIKSSON", "ANNA"), ("ERIKSON", "ANNA"), .similar),
    Case(("ERIKSSON", "ANNA"), ("ERIKSSON", "ANAN"), .similar),
    Case(("AL BASRI", "HUDA"), ("ALBASRI", "HUDA"), .similar),
    Case(("ERIKSSON", "ANNA"), ("SMITH", "ANNA"), .different),
    Case(("ERIKSSON", "ANNA"), ("ERIKSSON", "OTTO"), .different),
    Case(("", ""), ("", ""), .different),
    Case(("王", ""), ("李", ""), .different),
    Case(("ING", "TAN"), ("ING", "TAN"), .exact),
  ]

  @Test("the table of levels", arguments: cases)
  func levels(_ example: Case) {
    #expect(NameComparison.compare(example.a, example.b) == example.level)
    #expect(NameComparison.compare(example.b, example.a) == example.level, "the order of the two does not matter")
  }

  @Test("a suffix on one side is left out, two that differ are for review")
  func suffixes() {
    let junior = PersonName(primary: "SMITH JR", secondary: "JOHN")
    let senior = PersonName(primary: "SMITH", secondary: "JOHN", suffix: "SR")
    let plain = PersonName(primary: "SMITH", secondary: "JOHN")
    #expect(NameComparison.compare(junior, plain) == .exact)
    #expect(NameComparison.compare(junior, senior) == .similar)
    #expect(NameComparison.compare(senior, senior) == .exact)
  }

  @Test("levels pass, are for review or fail")
  func verdicts() {
    let passing = NameComparison.Level.allCases.filter { $0.verdict == .pass }
    #expect(passing == [.exact, .equivalent, .truncated, .partial])
    #expect(NameComparison.Level.similar.verdict == .review)
    #expect(NameComparison.Level.different.verdict == .fail)
  }

  @Test("a name of any size is compared in bounded time")
  func huge() {
    let huge = PersonName(
      primary: String(repeating: "AE", count: 500_000), secondary: String(repeating: "ß ", count: 500_000))
    #expect(NameComparison.compare(huge, huge) == .exact)
    #expect(NameComparison.compare(huge, PersonName(primary: "A")) == .different)
  }
}
