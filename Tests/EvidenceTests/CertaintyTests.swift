// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Evidence

@Suite("Evidence: how certain a printed field is")
struct CertaintyTests {
  private func words(_ texts: String..., likelihood: Double = 1) -> [OCRWord] {
    texts.map { OCRWord(text: $0, confidence: likelihood, region: Region(x: 0, y: 0, width: 10, height: 10)) }
  }

  @Test("the more likely, the more certain, and 0.9 stands only where hardly a field was wrong")
  func map() {
    let steps = (0...10_000).map { Certainty.calibrated(Double($0) / 10_000) }
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(steps[0] == 0)
    #expect(steps[9_949] < 0.9)
    #expect(steps[9_952] >= 0.9)
    #expect(steps[10_000] < 1)
  }

  @Test("dates are certain from a lower likelihood on, and no less certain than other fields anywhere")
  func dates() {
    let steps = (0...10_000).map { Certainty.calibrated(Double($0) / 10_000, isDate: true) }
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $0 <= $1 })
    #expect((0...10_000).allSatisfy { steps[$0] >= Certainty.calibrated(Double($0) / 10_000) - 0.001 })
    #expect(steps[0] == 0 && steps[9_698] < 0.9 && steps[9_701] >= 0.9 && steps[10_000] < 1)
    let day = words("14.03.1990", likelihood: 0.98)
    #expect(Certainty.of(.birthDate, day) >= 0.9)
    #expect(Certainty.of(.surname, day) < 0.9)
  }

  @Test("a field is as certain as its least certain word")
  func leastCertain() {
    let both = words("ANNA") + words("MARIA", likelihood: 0.8)
    #expect(Certainty.of(.givenNames, both) == Certainty.of(.givenNames, words("MARIA", likelihood: 0.8)))
    #expect(Certainty.of(.givenNames, []) == 0)
  }

  @Test("a number with a look-alike is never certain, and any other may be")
  func lookAlikes() {
    for number in ["L8989O2C3", "K118347D9", "GK2WP5IS5"] {
      #expect(Certainty.of(.documentNumber, words(number)) == Certainty.lookAlikeMost)
    }
    #expect(Certainty.of(.documentNumber, words("KX2WP5ES5")) > 0.9)
    #expect(Certainty.of(.surname, words("ODIN")) > 0.9)
  }

  /// A mark that was dropped may be what is left of a character; a letter that is read as a digit may be another digit.
  private static let cleaned: [(VisualZone.Field, [String])] = [
    (.surname, ["3UCHWALD"]), (.surname, ["BUCH|WALD"]), (.givenNames, ["ANNA", "1"]), (.givenNames, ["ANNA", "|"]),
    (.documentNumber, ["K$X2WP5ES5"]), (.personalNumber, ["85*7330", "33328"]), (.expiryDate, ["14", "MAR", "202S"]),
    (.birthDate, ["1$.03.1990"]), (.birthDate, ["4.03.1990"]), (.sex, ["F|"]), (.nationality, ["SW€", "EDE"]),
  ]

  @Test("a field from which something was left out, or in which one character was taken for another, is in doubt")
  func cleaned() {
    for (field, texts) in Self.cleaned {
      let seen = texts.map { OCRWord(text: $0, confidence: 1, region: Region(x: 0, y: 0, width: 10, height: 10)) }
      #expect(Certainty.of(field, seen) == Certainty.cleanedMost, "\(texts)")
    }
    #expect(Certainty.of(.surname, words("NÚÑEZ-PÉREZ")) > 0.9)
    #expect(Certainty.of(.surname, words("O'BRIEN", "JR.")) > 0.9)
    #expect(Certainty.of(.personalNumber, words("857330-33328")) > 0.9 - 0.01)
    #expect(Certainty.of(.expiryDate, words("14", "MAR", "2024")) > 0.9)
    #expect(Certainty.of(.expiryDate, words("03/14/2024"), dates: .monthFirst) > 0.9)
  }
}
