// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Evidence

@Suite("Evidence: measuring images")
struct ImageQualityTests {
  private func plane(_ width: Int, _ height: Int, chroma: UInt8 = 0, _ luma: (Int, Int) -> UInt8) -> LumaPlane {
    var pixels: [UInt8] = []
    for y in 0..<height { for x in 0..<width { pixels.append(luma(x, y)) } }
    return LumaPlane(
      width: width, height: height, luma: pixels, chroma: [UInt8](repeating: chroma, count: pixels.count))
  }

  private func codes(_ quality: ImageQuality) -> [QualityIssue.Code] { quality.issues.map(\.code) }

  @Test("a constant picture has no sharpness, a checkerboard of one pixel has the greatest that there is")
  func extremes() {
    #expect(plane(32, 24) { _, _ in 137 }.sharpness() == 0)
    let board = plane(32, 24) { x, y in (x + y) % 2 == 0 ? 0 : 255 }
    // Each Laplacian is ±4·255, evenly: nothing can vary more.
    #expect(board.sharpness() == Double(1020 * 1020))
    for step in 2...6 {
      let coarser = plane(32, 24) { x, y in (x / step + y / step) % 2 == 0 ? 0 : 255 }
      #expect(coarser.sharpness() < board.sharpness())
    }
  }

  @Test("blurring lowers sharpness strictly, again and again")
  func blurring() {
    var random = SeededGenerator(seed: 7)
    var picture = plane(64, 48) { _, _ in UInt8(truncatingIfNeeded: random.next()) }
    var last = picture.sharpness()
    for _ in 0..<4 {
      picture = blurred(picture)
      let now = picture.sharpness()
      #expect(now < last)
      last = now
    }
  }

  /// The binomial kernel 1 2 1 / 2 4 2 / 1 2 1, which approximates a Gaussian.
  private func blurred(_ source: LumaPlane) -> LumaPlane {
    let weights = [1, 2, 1]
    return plane(source.width, source.height) { x, y in
      var sum = 0
      for dy in -1...1 {
        for dx in -1...1 {
          let u = min(max(x + dx, 0), source.width - 1), v = min(max(y + dy, 0), source.height - 1)
          sum += weights[dx + 1] * weights[dy + 1] * Int(source.luma[v * source.width + u])
        }
      }
      return UInt8(sum / 16)
    }
  }

  @Test("one blurred quarter is enough to lower the sharpness of the whole")
  func quarters() {
    let picture = plane(64, 64) { x, y in x < 34 && y < 34 ? 90 : (x + y) % 2 == 0 ? 60 : 190 }
    #expect(picture.quarterSharpness() == 0)
    #expect(picture.sharpness() > 1000)
  }

  @Test("a quarter without print is not out of focus; one with print that is, is")
  func emptyQuarters() {
    let contentMin = QualityThresholds.document.contentMin
    func bars(_ x: Int) -> UInt8 { x / 8 % 2 == 0 ? 70 : 190 }
    // The print ends within its quarter: an edge on the border belongs to two.
    let oneOfFour = plane(400, 400) { x, y in x < 184 && y < 184 ? bars(x) : 190 }
    #expect(oneOfFour.quarterSharpness(contentMin: contentMin) > 200)
    #expect(oneOfFour.quarterSharpness() == 0)
    // A wave of 40 pixels: what is left of print behind a lens that did not focus.
    let wave = (0..<40).map { UInt8(130 + 60 * sin(Double($0) * .pi / 20)) }
    let outOfFocus = plane(400, 400) { x, y in
      x >= 216 || y >= 216 ? bars(x) : x < 200 ? wave[x % 40] : 130
    }
    #expect(outOfFocus.quarterSharpness(contentMin: contentMin) < QualityThresholds.document.sharpnessFail)
    let inspector = QualityInspector(.document)
    #expect(!codes(inspector.inspect(oneOfFour, subjectWidth: 1200)).contains(.blurred))
    let blurred = inspector.inspect(outOfFocus, subjectWidth: 1200).issues.first { $0.code == .blurred }
    #expect(blurred?.severity == .fail && blurred?.limit == QualityThresholds.document.sharpnessFail)
  }

  @Test("an issue says what was measured beside its limit")
  func measured() throws {
    let small = QualityInspector(.document).inspect(plane(60, 60) { _, _ in 128 }, subjectWidth: 500)
    let issue = try #require(small.issues.first { $0.code == .tooSmall })
    #expect(issue.measured == 500 && issue.limit == 600)
    #expect(issue.text == "Move closer, or use a higher resolution. Measured 500, at least 600.")
  }

  @Test("exposure is told by its mean or, within the limits of that, by the share of black or white, with its limit")
  func exposure() throws {
    func issue(_ luma: @escaping (Int) -> UInt8) throws -> QualityIssue {
      let picture = plane(100, 60, chroma: 20) { x, y in luma((x * 7 + y * 13) % 100) }
      let found = QualityInspector(.document).inspect(picture, subjectWidth: 1200).issues
      return try #require(found.first { $0.code == .tooDark || $0.code == .tooBright })
    }
    let black = try issue { $0 < 10 ? 0 : $0 % 2 == 0 ? 90 : 160 }
    #expect(black.code == .tooDark && black.severity == .warn && black.measured == 0.1 && black.limit == 0.05)
    #expect(black.text == "Find more light. Measured 0.1, at most 0.05.")
    let white = try issue { $0 < 20 ? 255 : $0 % 2 == 0 ? 90 : 160 }
    #expect(white.code == .tooBright && white.measured == 0.2 && white.limit == 0.05)
    // A bright page with black print on it is not dark.
    let page = try issue { $0 < 10 ? 0 : $0 % 2 == 0 ? 250 : 230 }
    #expect(page.code == .tooBright && page.limit == 200 && (page.measured ?? 0) > 200)
  }

  @Test("light around a page of which no outline was found is no glare")
  func backgroundLight() {
    let page = plane(200, 100, chroma: 8) { x, y in x >= 180 ? 255 : (x / 2 + y / 2) % 2 == 0 ? 80 : 170 }
    #expect(page.glare() == 0.1)
    #expect(page.glare(withinBorder: true) == 0)
    let inspector = QualityInspector(.document)
    #expect(inspector.inspect(page, subjectWidth: 1200).passes)
    #expect(codes(inspector.inspect(page, subjectWidth: 1200, crop: .ok)).contains(.glare))
  }

  @Test("glare is the largest blob that touches along edges, not the sum of specks")
  func glare() {
    let blob = plane(100, 100) { x, y in (10..<20).contains(x) && (10..<20).contains(y) ? 255 : 120 }
    #expect(blob.glare() == 0.01)
    let specks = plane(100, 100) { x, y in x % 2 == 0 && y % 2 == 0 ? 255 : 120 }
    #expect(specks.glare() == 0.0001)
    let corner = plane(10, 10) { x, y in (x == 3 && y == 3) || (x == 4 && y == 4) ? 255 : 0 }
    #expect(corner.glare() == 0.01)
    let horseshoe = plane(10, 10) { x, y in (x == 2 || x == 6) && y < 8 || y == 7 && (2...6).contains(x) ? 255 : 0 }
    #expect(horseshoe.glare() == 0.19)
    #expect(plane(10, 10, chroma: 40) { _, _ in 255 }.glare() == 0)
    #expect(blob.glare(columns: 10..<20, rows: 10..<20) == 1)
  }

  @Test("each fault has its code, and the worst comes first")
  func issues() {
    let inspector = QualityInspector(.document)
    let flat = inspector.inspect(plane(60, 60) { _, _ in 128 }, subjectWidth: 500)
    #expect(Set(codes(flat)) == [.tooSmall, .blurred, .lowContrast, .grayscaleCopy])
    #expect(flat.issues.last?.code == .grayscaleCopy)
    #expect(!flat.passes)
    let dark = inspector.inspect(plane(60, 60, chroma: 20) { x, y in (x + y) % 2 == 0 ? 0 : 40 }, subjectWidth: 1200)
    #expect(codes(dark).contains(.tooDark))
    let bright = inspector.inspect(
      plane(60, 60, chroma: 20) { x, y in (x + y) % 2 == 0 ? 190 : 255 }, subjectWidth: 1200)
    #expect(codes(bright).contains(.tooBright))
    let good = inspector.inspect(
      plane(60, 60, chroma: 20) { x, y in (x / 2 + y / 2) % 2 == 0 ? 80 : 170 }, subjectWidth: 1200, crop: .ok)
    #expect(good.issues.isEmpty)
    let cropped = inspector.inspect(
      plane(60, 60, chroma: 20) { x, y in (x / 2 + y / 2) % 2 == 0 ? 80 : 170 }, subjectWidth: 1200, crop: .cropped,
      tilt: 0.3)
    #expect(codes(cropped) == [.cropped, .tilted])
  }

  @Test("a little glare in the zone weighs more than elsewhere")
  func zoneGlare() {
    let picture = plane(200, 100, chroma: 8) { x, y in
      (50..<60).contains(x) && (50..<60).contains(y) ? 255 : (x / 2 + y / 2) % 2 == 0 ? 80 : 170
    }
    let inspector = QualityInspector(.document)
    #expect(inspector.inspect(picture, subjectWidth: 1200).passes)
    let zone = Region(x: 40, y: 40, width: 40, height: 40)
    #expect(codes(inspector.inspect(picture, subjectWidth: 1200, zones: [zone])).contains(.glare))
  }

  @Test("the white label of a barcode that was read is no glare; light beside it is, and light that crosses it")
  func labels() {
    // A label from 20 to 80 across and 20 to 60 down, and a lamp mirrored from 70 to 100 and 50 to 75.
    let picture = plane(200, 100, chroma: 8) { x, y in
      let isLabel = (20..<80).contains(x) && (20..<60).contains(y)
      let isLight = (70..<100).contains(x) && (50..<75).contains(y)
      return isLabel || isLight ? 255 : (x / 2 + y / 2) % 2 == 0 ? 80 : 170
    }
    let label = Region(x: 20, y: 20, width: 60, height: 40)
    #expect(picture.glare() == Double(60 * 40 + 30 * 25 - 10 * 10) / 20_000)
    #expect(picture.glare(labels: [label]) == Double(30 * 25 - 10 * 10) / 20_000)
    let everything = Region(x: 0, y: 0, width: 200, height: 100)
    #expect(picture.glare(labels: [everything]) == 0)
    #expect(picture.glare(labels: [label, label.grown(by: 5), Region(x: -30, y: -30, width: 20, height: 20)]) > 0)
    let inspector = QualityInspector(.document)
    #expect(codes(inspector.inspect(picture, subjectWidth: 1200, labels: [label])).contains(.glare))
    #expect(!codes(inspector.inspect(picture, subjectWidth: 1200, labels: [everything])).contains(.glare))
  }

  @Test("a point of a photograph has its place on the straightened page")
  func places() throws {
    let quad = Quad(corners: [(10, 20), (210, 40), (190, 160), (5, 140)])
    for (corner, place) in zip(quad.corners, [(0.0, 0.0), (1, 0), (1, 1), (0, 1)]) {
      let found = try #require(quad.place(of: corner))
      #expect(abs(found.across - place.0) < 1e-9 && abs(found.down - place.1) < 1e-9)
    }
    let square = Quad(corners: [(0, 0), (100, 0), (100, 50), (0, 50)])
    let found = try #require(square.place(of: (25, 10)))
    #expect(abs(found.across - 0.25) < 1e-9 && abs(found.down - 0.2) < 1e-9)
    #expect(Quad(corners: [(0, 0), (9, 9), (9, 9), (0, 0)]).place(of: (1, 1)) == nil)
  }
}
