// SPDX-License-Identifier: Apache-2.0

import Specimens
import TestSupport
import Testing

@testable import Evidence

@Suite("Evidence: straightening a page, and looking for its portrait", .storeless)
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
}
