// SPDX-License-Identifier: Apache-2.0

import CVision
import DocumentCore
import Foundation
import TestSupport
import Testing

@testable import Evidence

@Suite("Evidence: hints of edited regions")
struct EditedRegionTests {
  private static let side = 704
  /// Where a strip of 128 × 24 pixels is put, and where it comes from: blocks lie on another grid there.
  private static let place = Region(x: 203, y: 301, width: 128, height: 24)
  private static let origin = (x: 402, y: 96)

  /// Grain, such as cameras make.
  private static func grain(seed: UInt64, side: Int = side) -> Pictures.Raw {
    var random = SeededGenerator(seed: seed)
    return grey((0..<side * side).map { _ in UInt8(98 + random.next() % 61) }, side: side)
  }

  private static func grey(_ luma: [UInt8], side: Int = side) -> Pictures.Raw {
    Pictures.Raw.grey(luma, width: side)
  }

  /// The grey picture that a JPEG shows.
  private static func decoded(_ jpeg: Data) throws -> [UInt8] {
    try LumaPlane(Frame.open(jpeg, limits: ImageLimits()).frame).luma
  }

  private static func edited(_ luma: [UInt8]) -> [UInt8] {
    var changed = luma
    for y in 0..<place.height {
      for x in 0..<place.width {
        changed[(place.y + y) * side + place.x + x] = luma[(origin.y + y) * side + origin.x + x]
      }
    }
    return changed
  }

  @Test("a strip that was copied within a JPEG is found where it lies when the copy was compressed less hard")
  func copied() throws {
    let first = try Pictures.frame(Self.grain(seed: 1)).jpeg(quality: 75)
    let forged = try Pictures.frame(Self.grey(Self.edited(Self.decoded(first)))).jpeg(quality: 90)
    let found = try #require(try EditedRegion.find(in: forged))
    #expect(found.evidence > 100, "\(found)")
    #expect(found.region.x + 32 > Self.place.x && found.region.x < Self.place.x + Self.place.width, "\(found)")
    #expect(found.region.y + 16 > Self.place.y && found.region.y < Self.place.y + Self.place.height, "\(found)")

    let turned = Pictures.withEXIF(forged, orientation: 6, note: "x")
    let region = try #require(try EditedRegion.find(in: turned)).region
    #expect(region.x == Self.side - found.region.y - found.region.height && region.y == found.region.x)
  }

  @Test("an honest picture that was compressed twice is not flagged")
  func honest() throws {
    let first = try Pictures.frame(Self.grain(seed: 2)).jpeg(quality: 75)
    let again = try Pictures.frame(Self.grey(Self.decoded(first))).jpeg(quality: 90)
    let found = try #require(try EditedRegion.find(in: again))
    #expect(found.evidence < 30, "\(found)")
  }

  @Test("a picture that was compressed once, a PNG, a progressive and a damaged JPEG tell nothing")
  func silent() throws {
    let once = try Pictures.frame(Self.grain(seed: 3)).jpeg(quality: 90)
    #expect(try EditedRegion.find(in: once)?.evidence ?? 0 < 30)
    #expect(try EditedRegion.find(in: Pictures.png(Pictures.gradient(700, 660))) == nil)
    #expect(try EditedRegion.find(in: Pictures.progressive(width: 700, height: 660)) == nil)
    #expect(try EditedRegion.find(in: Pictures.cmyk(width: 700, height: 660, isProgressive: false)) == nil)
    #expect(try EditedRegion.find(in: once.prefix(once.count / 2)) == nil)
    #expect(try EditedRegion.find(in: Data()) == nil)
  }

  @Test("a JPEG whose only scan leaves its luma out can be decoded, and tells nothing")
  func chromaAlone() throws {
    let whole = try Pictures.frame(Self.grain(seed: 4)).jpeg(quality: 90)
    let scan = try #require(whole.range(of: Data([0xFF, 0xDA])))
    // The second component by the tables of T.81 annex K, in which four bits of zero are a block without a difference.
    let blocks = Self.side / 16 * (Self.side / 16)
    let alone =
      whole[..<scan.lowerBound] + Data([0xFF, 0xDA, 0, 8, 1, 2, 0x11, 0, 0x3F, 0]) + Data(count: blocks / 2)
      + Data([0xFF, 0xD9])
    #expect(try Frame.open(alone, limits: ImageLimits()).frame.width == Self.side)
    #expect(try EditedRegion.find(in: alone) == nil)
  }

  @Test("what fills the last blocks is no edit where sides are no multiples of 8", arguments: 5...8)
  func edge(seed: UInt64) throws {
    let side = 700
    let first = try Pictures.frame(Self.grain(seed: seed, side: side)).jpeg(quality: 75)
    let again = try Pictures.frame(Self.grey(Self.decoded(first), side: side)).jpeg(quality: 90)
    let found = try #require(try EditedRegion.find(in: again))
    #expect(found.evidence < 30, "\(found)")
    #expect(found.region.x + found.region.width <= side && found.region.y + found.region.height <= side, "\(found)")
  }

  @Test("a region is a flag for agents, behind what is worse, and decides nothing", arguments: [99, 101])
  func flagged(evidence: Double) {
    let region = Region(x: 1, y: 2, width: 32, height: 16)
    var quality = ImageQuality(
      sharpness: 200, glare: 0, brightness: 128, blackShare: 0, whiteShare: 0, contrast: 50, colour: 10,
      subjectWidth: 1200, crop: .ok, tilt: 0, issues: [QualityIssue(.tilted, .warn)])
    quality.note(EditedRegion(evidence: evidence, region: region), evidenceMax: 100)
    #expect(quality.edited?.region == region && quality.passes)
    #expect(quality.issues.map(\.code) == (evidence > 100 ? [.tilted, .editedRegion] : [.tilted]))
  }
}
