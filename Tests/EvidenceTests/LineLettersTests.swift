// SPDX-License-Identifier: Apache-2.0

import CVision
import Testing

@testable import Evidence

/// What the network's likelihoods along a line become: its runs of steps, twins among them, and how sure each word is.
@Suite("Evidence: from likelihoods to letters")
struct LineLettersTests {
  /// Code 0 is the space, the last one stands for nothing.
  private static let codes = [" ", "A", "B", "0", "O", ""]
  private static let none = 5

  private struct Word: Equatable {
    var text: String
    var certainty: Double
  }

  /// - Parameter line: a step each: what each character has; what is left to 1 is nothing's.
  private func read(_ line: [[String: Float]]) throws -> [Word] {
    var values: [Float] = []
    for step in line {
      var row = Self.codes.map { $0.isEmpty ? 0 : step[$0, default: 0] }
      row[Self.none] = max(0, 1 - row.reduce(0, +))
      values += row
    }
    let texts = Self.codes.map { text in text.utf8CString.map { $0 } }
    var out = cvision_words()
    let pointers = texts.map { text in
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.count)
      copy.initialize(from: text, count: text.count)
      return copy
    }
    defer { pointers.forEach { $0.deallocate() } }
    var places: [UnsafePointer<CChar>?] = pointers.map { UnsafePointer($0) }
    try CVisionFailure.check(
      cvision_line_letters(&places, Int32(Self.codes.count), Int32(Self.none), values, Int32(line.count), &out))
    defer { cvision_words_free(&out) }
    return UnsafeBufferPointer(start: out.words, count: out.count).map { word in
      var text = word.text
      let read = withUnsafeBytes(of: &text) { raw in
        String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      return Word(text: read, certainty: (Double(word.confidence) * 100).rounded() / 100)
    }
  }

  @Test("steps of one character are one letter, and a step of nothing between two makes them two")
  func runs() throws {
    #expect(try read([["A": 1], ["A": 1], ["A": 1]]).map(\.text) == ["A"])
    #expect(try read([["A": 1], [:], ["A": 1]]).map(\.text) == ["AA"])
    #expect(try read([["A": 1], [:], [:], ["B": 1]]) == [Word(text: "AB", certainty: 1)])
    #expect(try read([["A": 1], [" ": 1], ["B": 1]]).map(\.text) == ["A", "B"])
    #expect(try read([]).isEmpty)
    #expect(try read([[:], [:]]).isEmpty)
  }

  @Test("a run is as sure as its surest step")
  func surest() throws {
    #expect(try read([[:], ["A": 0.6], ["A": 0.9], ["A": 0.7], [:]]) == [Word(text: "A", certainty: 0.9)])
  }

  @Test("a glyph that is read as two characters at once is one, and the word is no surer than the other leaves it")
  func twins() throws {
    // 0 as O and 0: one step apart, no step of nothing between them, and one of them unlikely.
    let twins = try read([[:], ["0": 0.95], ["O": 0.6, "0": 0.3], [:]])
    #expect(twins == [Word(text: "0", certainty: 0.4)], "the O had 0.6")
    #expect(try read([[:], ["O": 0.6, "0": 0.3], ["0": 0.95], [:]]).map(\.text) == ["0"])
    #expect(try read([["A": 1], [:], ["0": 0.95], ["O": 0.6], [:], ["B": 1]]).map(\.text) == ["A0B"])
  }

  @Test("neighbours that are both sure, or further apart, stay two")
  func neighbours() throws {
    #expect(try read([["0": 0.95], ["O": 0.9]]).map(\.text) == ["0O"])
    let apart = try read([["0": 0.95], ["0": 0.9], ["0": 0.9], ["O": 0.6, "0": 0.3]])
    #expect(apart.map(\.text) == ["0O"], "three steps from where each is surest")
    #expect(try read([["0": 0.95], [:], ["O": 0.6, "0": 0.3]]).map(\.text) == ["0O"], "nothing stands between them")
    #expect(try read([[" ": 0.6, "A": 0.3], ["A": 0.95]]).map(\.text) == ["A"], "a space is no twin")
  }

  @Test("a character that was nearly seen where none was read makes its word less sure")
  func nearlySeen() throws {
    #expect(try read([["A": 1], ["B": 0.4], ["A": 1]]) == [Word(text: "AA", certainty: 0.6)])
    #expect(try read([["A": 1], [:], ["B": 0.3]]) == [Word(text: "A", certainty: 0.7)], "at the end of the line")
  }

  @Test("codes and steps that cannot be are refused")
  func refused() {
    var out = cvision_words()
    var places: [UnsafePointer<CChar>?] = [nil, nil]
    #expect(cvision_line_letters(&places, 1, 0, [1], 1, &out) == CVISION_BAD_INPUT)
    #expect(cvision_line_letters(&places, 2, 2, [1], 1, &out) == CVISION_BAD_INPUT)
    #expect(cvision_line_letters(&places, 2, 1, [1], -1, &out) == CVISION_BAD_INPUT)
  }
}
