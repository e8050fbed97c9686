// SPDX-License-Identifier: Apache-2.0

import Foundation
import Specimens
import TestSupport
import Testing

@testable import Evidence

@Suite("Evidence: straightening a page, and which way up it is", .storeless)
struct StraighteningTests {
  @Test("a page that is straightened in wide registers is OpenCV's own, within the picture and beyond its edges")
  func asOpenCV() throws {
    var random = SeededGenerator(seed: 26)
    let (width, height) = (220, 160)
    let bgr = (0..<width * height * 3).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    let picture = try Pictures.frame(.init(width: width, height: height, bgr: bgr))
    for _ in 0..<40 {
      func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
      let start = (x: number(-40...120), y: number(-40...120)), along = (x: number(60...160), y: number(-60...60))
      let down = (x: number(-2...2), y: number(0.5...4))
      // The same places on the picture, row by row: fewer than 16 rows are left to OpenCV.
      func rows(_ count: Int) throws -> LumaPlane {
        let last = Double(count - 1)
        let corners = [(0.0, 0.0), (1, 0), (1, last), (0, last)].map { across, below in
          (x: start.x + along.x * across + down.x * below, y: start.y + along.y * across + down.y * below)
        }
        return try LumaPlane(picture.rectified(Quad(corners: corners), width: 130, height: count))
      }
      let (wide, plain) = (try rows(16), try rows(15))
      let differing = plain.luma.indices.filter {
        plain.luma[$0] != wide.luma[$0] || plain.chroma[$0] != wide.chroma[$0]
      }
      // Corners are rounded to floats, which moves a place by a thirty-second of a pixel now and then.
      #expect(differing.count * 100 < plain.luma.count)
    }
  }

  @Test("a portrait of the usual size is found where all faces are looked for, and a small one by the search for such")
  func portrait() throws {
    let picture = try #require(try SpecimenCache.draw(.passport, seed: 1).images.first).picture
    let page = try Frame.open(picture.data, limits: ImageLimits()).frame
    let finder = FaceFinder(folders: FaceFinder.usualFolders)
    let whole = try #require(try finder.faces(in: page).faces.first).region
    func isNear(_ region: Region, _ x: Double, _ y: Double, _ width: Double) -> Bool {
      abs(region.midX - x) < width / 8 && abs(region.midY - y) < width / 8
    }
    #expect(try finder.faces(in: page, [.usual]).faces.map(\.region) == [whole])
    let (share, margin) = (640 / Double(page.width), 360)
    let far = try page.scaled(toWidth: 640).bordered(by: margin)
    #expect(try finder.faces(in: far, [.usual]).faces.isEmpty)
    let small = try #require(try finder.faces(in: far, [.usual, .small]).faces.first).region
    let (x, y) = (Double(margin) + whole.midX * share, Double(margin) + whole.midY * share)
    #expect(isNear(small, x, y, Double(whole.width) * share))
  }

  @Test("a card on a scanner's glass of A4 has an outline, though the glass has a document's shape")
  func glass() throws {
    let picture = try #require(try SpecimenCache.draw(.idCard, seed: 1).images.first).picture
    let card = try Pictures.Raw(LumaPlane(Frame.open(picture.data, limits: ImageLimits()).frame.scaled(toWidth: 640)))
    let (width, height) = (1414, 1000)
    for shade in [30, 250] as [UInt8] {
      var glass = Pictures.Raw(
        width: width, height: height, bgr: [UInt8](repeating: shade, count: width * height * 3))
      glass.lay(card, x: 120, y: 90)
      let found = try Page.outline(in: Pictures.frame(glass))?.region
      // A pale card on a pale glass may have none.
      guard shade < 128 || found != nil else { continue }
      let region = try #require(found)
      #expect(abs(region.x - 120) < 8 && abs(region.y - 90) < 8, "\(shade)")
      #expect(abs(region.width - card.width) < 16 && abs(region.height - card.height) < 16, "\(shade)")
    }
  }

  @Test("a page without a zone, a barcode and a face is turned until its print can be read", arguments: [2, 1, 3])
  func printTells(quarters: Int) async throws {
    let drawn = try SpecimenCache.draw(.idCard, seed: 1)
    let front = try #require(drawn.images.first { $0.side == .front }).picture.data
    let side = try #require(drawn.truth.sides.first { $0.side == .front })
    var raw = Pictures.Raw(try LumaPlane(Frame.open(front, limits: ImageLimits()).frame))
    let portrait = try #require(side.portrait)
    let (width, height) = (Int(portrait[2].x - portrait[0].x), Int(portrait[2].y - portrait[0].y))
    let cover = Pictures.Raw(width: width, height: height, bgr: [UInt8](repeating: 190, count: width * height * 3))
    raw.lay(cover, x: Int(portrait[0].x), y: Int(portrait[0].y))
    let turned = try Pictures.frame(raw).rotated(quarters: quarters).jpeg(quality: 95)
    let reading = try await EvidenceReader().read(turned, as: .nationalIDFront, on: SpecimenCache.today).reading
    #expect(reading.faces.faces.isEmpty)
    #expect(reading.detected == .nationalIDFront)
    #expect(reading.visualZone?[.surname] == side.printed["surname"])
    #expect(reading.visualZone?[.documentNumber] == side.printed["documentNumber"])
  }

  @Test("a face does not tell the page's direction where its print says otherwise", arguments: [0, 2])
  func faceUpsideDown(quarters: Int) async throws {
    let drawn = try SpecimenCache.draw(.idCard, seed: 1)
    let front = try #require(drawn.images.first { $0.side == .front }).picture.data
    let side = try #require(drawn.truth.sides.first { $0.side == .front })
    let frame = try Frame.open(front, limits: ImageLimits()).frame
    var raw = Pictures.Raw(try LumaPlane(frame))
    let portrait = try #require(side.portrait)
    let place = Region(
      x: Int(portrait[0].x), y: Int(portrait[0].y), width: Int(portrait[2].x - portrait[0].x),
      height: Int(portrait[2].y - portrait[0].y))
    let face = try frame.cropped(to: place).rotated(quarters: 2)
    raw.lay(Pictures.Raw(try LumaPlane(face)), x: place.x, y: place.y)
    let reading = try await EvidenceReader().read(
      Pictures.frame(raw).rotated(quarters: quarters).jpeg(quality: 95), as: .nationalIDFront, on: SpecimenCache.today
    ).reading
    #expect(reading.detected == .nationalIDFront)
    #expect(reading.visualZone?[.surname] == side.printed["surname"])
    #expect(reading.visualZone?[.documentNumber] == side.printed["documentNumber"])
  }

  @Test("a barcode that lies askew is read where no outline tells how", arguments: [9.0, -9, 99, 189])
  func askew(degrees: Double) throws {
    let drawn = try SpecimenCache.draw(.drivingLicence, seed: 1)
    let back = try #require(drawn.images.first { $0.side == .back }).picture.data
    let whole = try Frame.open(back, limits: ImageLimits()).frame.bordered(by: 300)
    let (radius, angle) = (Double(whole.width) / 2, degrees * .pi / 180)
    let middle = (x: radius, y: Double(whole.height) / 2)
    let corners = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { across, down in
      (
        x: middle.x + radius * (across * cos(angle) - down * sin(angle)),
        y: middle.y + radius * (across * sin(angle) + down * cos(angle))
      )
    }
    let turned = try whole.rectified(Quad(corners: corners), width: whole.width, height: whole.width)
    let search = BarcodeSearch(frame: turned, page: try Page.whole(turned))
    let found = try #require(try search.others())
    #expect(found.reading.licence.number == drawn.truth.papers.number)
    #expect(found.reading.region.width > found.reading.region.height || abs(degrees) == 99)
  }
}
