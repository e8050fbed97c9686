// SPDX-License-Identifier: Apache-2.0

import Foundation
import OneAssistCore
import Specimens
import TestSupport
import Testing

@testable import Evidence

@Suite("Evidence: reading screens of phones")
struct ScreenReadingTests {
  private static let reader = EvidenceReader()
  private static let limits: ImageLimits = {
    var limits = ImageLimits()
    limits.shortSideMin = 300
    return limits
  }()

  private func imeis(_ picture: Data) async throws -> [String] {
    let reading = try await Self.reader.readIdentifiers(picture, limits: Self.limits)
    let read = IMEIReading(text: reading.text)
    #expect([read?.primary, read?.secondary].compactMap(\.self) == reading.imeis)
    return reading.imeis.map(\.digits)
  }

  @Test(
    "both IMEIs of a sheet are read in every layout, light and dark, and no other number is taken for one",
    arguments: SheetLook.Layout.allCases, [false, true])
  func layouts(layout: SheetLook.Layout, isDark: Bool) async throws {
    var look = SheetLook.random(seed: 21)
    (look.layout, look.isDark, look.hasBarcodes) = (layout, isDark, layout == .iosSheet)
    var numbers = PhoneNumbers(imei: "359000110000012", imei2: "359000110000020", seed: 4)
    // Everything that could be taken for one.
    (numbers.eid, numbers.iccid, numbers.meid) = (
      "89049032004008882600120458123456", "8991101200003204510", "35900011000001"
    )
    let drawn = try IMEIScreenshot.draw(numbers, look: look, seed: 21)
    #expect(try await imeis(drawn.picture.data) == ["359000110000012", "359000110000020"])
  }

  @Test("a screenshot that was cut, sent smaller and compressed is read", arguments: [31, 32, 33] as [UInt64])
  func worn(seed: UInt64) async throws {
    let wear = ScreenWear(crop: 0.8, rescale: 0.75, degrade: try Degradation.list("blur:0.5,noise:0.5,jpeg"))
    let drawn = try IMEIScreenshot.draw(wear: wear, seed: seed)
    let truth = drawn.truth.numbers
    #expect(try await imeis(drawn.picture.data) == [truth.imei, truth.imei2].compactMap(\.self))
  }

  @Test("a number whose check digit is wrong is not read, nor the one beside it, and its digits are not in the text")
  func checkDigit() async throws {
    var look = SheetLook.random(seed: 3)
    (look.layout, look.hasBarcodes) = (.iosSheet, true)
    let numbers = PhoneNumbers(imei: "359000110000013", imei2: "359000110000020", seed: 3)
    let drawn = try IMEIScreenshot.draw(numbers, look: look, seed: 3)
    let reading = try await Self.reader.readIdentifiers(drawn.picture.data, limits: Self.limits)
    #expect(reading.isDoubtful && reading.imeis.isEmpty && IMEIReading(text: reading.text) == nil)
    #expect(!reading.text.contains("359000110000013"))
  }

  @Test("one number in both slots is in doubt, and two equal barcodes stop nothing")
  func twice() async throws {
    var look = SheetLook.random(seed: 3)
    (look.layout, look.hasBarcodes) = (.androidDialog, true)
    let numbers = PhoneNumbers(imei: "359000110000012", imei2: "359000110000012", seed: 3)
    let drawn = try IMEIScreenshot.draw(numbers, look: look, seed: 3)
    #expect(try await imeis(drawn.picture.data) == [])
    let frame = try Frame.open(drawn.picture.data, limits: Self.limits).frame
    let whole = Region(x: 0, y: 0, width: frame.width, height: frame.height)
    let code = try #require(try ScreenBarcode.text(in: frame, part: whole))
    #expect(
      drawn.truth.numbers.imei == code || drawn.truth.numbers.eid == code || drawn.truth.numbers.meid == code
        || drawn.truth.numbers.serial == code)
    let beside = Region(x: frame.width, y: 0, width: 9, height: 9)
    #expect(try ScreenBarcode.text(in: frame, part: beside) == nil)
  }

  @Test("the code is read from photos of the secure screen", arguments: [41, 42, 43] as [UInt64])
  func secureScreen(seed: UInt64) async throws {
    let drawn = try SecureScreenPhoto.draw(
      degrade: Degradation.list("rotate,perspective,moire:0.5,noise:0.5,jpeg"), seed: seed)
    #expect(try await Self.reader.readSecureScreen(drawn.picture.data, limits: Self.limits) == drawn.truth.content.code)
  }

  @Test("a photo that lies on either side is turned", arguments: [1, 3])
  func turned(quarters: Int) async throws {
    let drawn = try SecureScreenPhoto.draw(degrade: [.init(.perspective)], seed: 44)
    let lying = try Frame.open(drawn.picture.data, limits: Self.limits).frame.rotated(quarters: quarters)
    #expect(
      try await Self.reader.readSecureScreen(lying.jpeg(quality: 92), limits: Self.limits) == drawn.truth.content.code)
  }

  @Test("a code whose check digit is wrong is not read")
  func wrongCode() async throws {
    var content = SecureScreenPhoto.Content.random(seed: 45)
    let last = content.code.removeLast()
    content.code.append(last == "9" ? "0" : "9")
    let drawn = try SecureScreenPhoto.draw(content, seed: 45)
    #expect(SecureScreenCode.isWellFormed(content.code) == false)
    #expect(try await Self.reader.readSecureScreen(drawn.picture.data, limits: Self.limits) == nil)
  }

  @Test("pictures of anything else give no number")
  func anythingElse() async throws {
    var random = SeededGenerator(seed: 5)
    // In squares of four: each spot of finer noise is a letter to look at, which takes a minute.
    let spots = (0..<160 * 225 * 3).map { _ in UInt8.random(in: 0...255, using: &random) }
    let noise = Pictures.Raw(
      width: 640, height: 900,
      bgr: (0..<640 * 900 * 3).map { spots[($0 / 3 / 640 / 4 * 160 + $0 / 3 % 640 / 4) * 3 + $0 % 3] })
    for raw in [Pictures.gradient(700, 1300), noise] {
      let picture = try Pictures.jpeg(raw)
      #expect(try await imeis(picture) == [])
      #expect(try await Self.reader.readSecureScreen(picture, limits: Self.limits) == nil)
    }
    // Each for the other.
    let photo = try SecureScreenPhoto.draw(seed: 46).picture.data
    #expect(try await imeis(photo).allSatisfy { $0.utf8.count == 15 })
    let sheet = try IMEIScreenshot.draw(seed: 46).picture.data
    #expect(try await Self.reader.readSecureScreen(sheet, limits: Self.limits) == nil)
  }

  @Test("what is no picture, or one too large, is refused before it is decoded")
  func refused() async throws {
    let whole = try IMEIScreenshot.draw(wear: ScreenWear(), seed: 1).picture.data
    let bad: [(Data, ImageProblem)] = [
      (Data(), .empty), (Data("IMEI 359000110000012".utf8), .unsupportedMedia), (whole.prefix(2000), .notDecodable),
      (Pictures.pngHeader(width: 30_000, height: 30_000), .dimensionsTooLarge(sideMax: 8000, pixelsMax: 60_000_000)),
      (Pictures.jpegHeader(width: 8000, height: 7900), .dimensionsTooLarge(sideMax: 8000, pixelsMax: 60_000_000)),
    ]
    for (bytes, problem) in bad {
      await #expect(throws: problem) { try await Self.reader.readIdentifiers(bytes, limits: Self.limits) }
      await #expect(throws: problem) { try await Self.reader.readSecureScreen(bytes, limits: Self.limits) }
    }
  }

  @Test("a reading that runs out of processor time says less and fails in nothing")
  func limit() throws {
    let drawn = try IMEIScreenshot.draw(seed: 2)
    let page = try Frame.open(drawn.picture.data, limits: Self.limits).frame.print(hasBars: true)
    let text = TextReader(dataPath: nil, idleMax: 1)
    let all = try text.words(in: page, layout: .sparse)
    let cut = try text.words(in: page, layout: .sparse, timeLimitMilliseconds: 0)
    #expect(!all.isEmpty && cut.count < all.count)
  }
}
