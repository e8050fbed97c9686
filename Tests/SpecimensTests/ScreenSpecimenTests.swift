// SPDX-License-Identifier: Apache-2.0

import CVision
import Foundation
import Testing

@testable import Specimens

@Suite("Specimens: screens of phones")
struct ScreenSpecimenTests {
  @Test("the same seed draws the same screenshot and truth, another seed another phone")
  func deterministic() throws {
    let wear = ScreenWear.random(seed: 3)
    let first = try IMEIScreenshot.draw(wear: wear, seed: 3)
    let again = try IMEIScreenshot.draw(wear: wear, seed: 3)
    #expect(first.picture == again.picture)
    #expect(first.truth == again.truth)
    #expect(try first.json() == again.json())
    let other = try IMEIScreenshot.draw(wear: wear, seed: 4)
    #expect(other.truth.numbers.imei != first.truth.numbers.imei)
    #expect(other.picture != first.picture)
  }

  @Test("a sheet's numbers are ones that a phone may have")
  func numbers() {
    for seed in UInt64(0)..<300 {
      let numbers = PhoneNumbers.random(seed: seed)
      for imei in [numbers.imei, numbers.imei2].compactMap(\.self) {
        #expect(imei.utf8.count == 15 && imei == PhoneNumbers.checked(String(imei.dropLast())))
      }
      #expect(numbers.imei != numbers.imei2)
      #expect(numbers.eid.map { $0.utf8.count == 32 && $0.hasPrefix("89") } ?? true)
      #expect(numbers.meid.map { $0.utf8.count == 14 } ?? true)
      #expect(numbers.iccid.map { (19...20).contains($0.utf8.count) } ?? true)
    }
  }

  /// The number of ISO/IEC 7812-1, annex B, and the IMEI of 3GPP TS 23.003, annex B.
  @Test("check digits are those of the standards' examples", arguments: ["79927398713", "260531793113837"])
  func checkDigits(number: String) {
    #expect(PhoneNumbers.checked(String(number.dropLast())) == number)
  }

  @Test(
    "an undamaged sheet is a PNG of the phone's own pixels, in every layout, light and dark",
    arguments: SheetLook.Layout.allCases, [false, true])
  func layouts(layout: SheetLook.Layout, isDark: Bool) throws {
    var look = SheetLook.random(seed: 9)
    (look.layout, look.isDark) = (layout, isDark)
    let drawn = try IMEIScreenshot.draw(look: look, seed: 9)
    #expect(drawn.picture.format == .png)
    #expect(drawn.picture.width == Int(Double(look.points) * look.scale) && drawn.truth.width == drawn.picture.width)
    let mean = try Luma.mean(drawn.picture)
    #expect(isDark ? mean < 110 : mean > 90)
  }

  @Test("every language has its words, and every number that is shown is in the truth")
  func languages() throws {
    var titles: Set<String> = []
    for language in SheetTexts.Language.allCases { titles.insert(SheetTexts(language).title) }
    #expect(titles.count == SheetTexts.Language.allCases.count)
    var look = SheetLook.random(seed: 1)
    look.layout = .androidDialog
    #expect(try IMEIScreenshot.draw(look: look, seed: 11).truth.numbers.iccid == nil)
  }

  @Test("what was cut and sent smaller has the size that the truth says")
  func worn() throws {
    let look = SheetLook.random(seed: 5)
    let whole = try IMEIScreenshot.draw(look: look, seed: 5)
    let worn = try IMEIScreenshot.draw(look: look, wear: ScreenWear(crop: 1, rescale: 0.5), seed: 5)
    #expect(worn.picture.format == .jpeg)
    #expect(worn.picture.width == whole.picture.width / 2)
    #expect(worn.picture.height < whole.picture.height / 2)
    #expect((worn.truth.width, worn.truth.height) == (worn.picture.width, worn.picture.height))
  }

  @Test("a photographed secure screen shows the content asked for, and lies inside the picture")
  func secureScreen() throws {
    for seed in UInt64(1)...6 {
      let content = SecureScreenPhoto.Content.random(seed: seed)
      #expect(content.code.utf8.count == 11 && content.code == PhoneNumbers.checked(String(content.code.dropLast())))
      let drawn = try SecureScreenPhoto.draw(content, degrade: SecureScreenPhoto.wear(seed: seed), seed: seed)
      #expect(drawn.truth.content == content && drawn.picture.format == .jpeg)
      #expect(max(drawn.picture.width, drawn.picture.height) >= 1000)
      for corner in drawn.truth.corners {
        #expect((0...Double(drawn.picture.width)).contains(corner.x))
        #expect((0...Double(drawn.picture.height)).contains(corner.y))
      }
    }
  }
}

/// How bright a picture is.
private enum Luma {
  static func mean(_ picture: Picture) throws -> Double {
    var out: OpaquePointer?
    var header = picture.header
    let status = picture.data.withUnsafeBytes { raw in
      cvision_decode_png(raw.bindMemory(to: UInt8.self).baseAddress, raw.count, &header, 1, &out)
    }
    let frame = try #require(status == CVISION_OK ? out : nil)
    defer { cvision_frame_free(frame) }
    let count = Int(cvision_frame_width(frame)) * Int(cvision_frame_height(frame))
    var (luma, chroma) = ([UInt8](repeating: 0, count: count), [UInt8](repeating: 0, count: count))
    #expect(cvision_planes(frame, &luma, &chroma) == CVISION_OK)
    return Double(luma.reduce(0) { $0 + Int($1) }) / Double(max(1, count))
  }
}
