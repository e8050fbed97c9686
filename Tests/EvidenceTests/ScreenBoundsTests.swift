// SPDX-License-Identifier: Apache-2.0

import Foundation
import Specimens
import Testing

@testable import Evidence

@Suite("Evidence: what reading a screen may cost")
struct ScreenBoundsTests {
  private static let limits: ImageLimits = {
    var limits = ImageLimits()
    limits.shortSideMin = 300
    return limits
  }()

  private func line(of count: Int, at y: Int) -> ScreenLine {
    ScreenLine(
      symbols: (0..<count).map {
        OCRSymbol(text: "1", confidence: 1, region: Region(x: $0 * 20, y: y, width: 16, height: 30), word: y)
      })
  }

  @Test("of many numbers the six likeliest are read again, those as long as a code first")
  func likeliest() {
    let lines = (0..<200).map { line(of: 8 + $0 % 8, at: $0 * 40) }
    #expect(SecureScreenReader.likeliest(lines).map(\.count) == [11, 11, 11, 11, 11, 11])
    // Eight and fourteen digits and more are no misread code.
    #expect(SecureScreenReader.likeliest(Array(lines.prefix(8))).map(\.count).sorted() == [9, 10, 11, 12, 13])
    #expect(SecureScreenReader.likeliest([]).isEmpty)
  }

  @Test("a picture whose processor time is used up gives no number, and fails in nothing")
  func spent() throws {
    let text = TextReader(dataPath: nil, idleMax: 1)
    let drawn = try SecureScreenPhoto.draw(degrade: Degradation.list("perspective,jpeg"), seed: 41)
    let photo = try Frame.open(drawn.picture.data, limits: Self.limits).frame
    #expect(try SecureScreenReader(text: text).read(photo) == drawn.truth.content.code)
    #expect(try SecureScreenReader(text: text, limit: .zero).read(photo) == nil)
    let sheet = try Frame.open(IMEIScreenshot.draw(seed: 2).picture.data, limits: Self.limits).frame
    #expect(try IdentifierReader(text: text, limit: .zero).read(sheet).imeis.isEmpty)
  }

  @Test("a budget is used up by work on this thread, and gives no more than it has")
  func budget() {
    #expect(ProcessorBudget(.zero).isSpent && ProcessorBudget(.zero).milliseconds(atMost: 5) == 0)
    let whole = ProcessorBudget(.seconds(60))
    #expect(!whole.isSpent && whole.milliseconds(atMost: 1500) == 1500)
    let small = ProcessorBudget(.milliseconds(20))
    var work: UInt64 = 1
    while !small.isSpent { for _ in 0..<1000 { work = work &* 6_364_136_223_846_793_005 &+ 1 } }
    #expect(small.milliseconds(atMost: 1500) == 0 && work != 0)
  }
}
