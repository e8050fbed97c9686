// SPDX-License-Identifier: Apache-2.0

import CVision
import Foundation
import TestSupport
import Testing

@testable import Evidence

@Suite("Evidence: what is searched for a barcode has a bound, whatever a picture shows (issue 24)")
struct BarcodeEffortTests {
  /// Bars and spaces of PDF417's start pattern, in modules.
  private static let start = [8, 1, 1, 1, 1, 1, 1, 3]

  /// Stripes of one start pattern after the other in some rows, white in the others.
  private static func striped(
    side: Int, module: Int = 1, isStriped: (Int) -> Bool = { _ in true }
  ) throws -> Frame {
    let period = start.indices.flatMap { run in
      [UInt8](repeating: run.isMultiple(of: 2) ? 0 : 255, count: start[run] * module)
    }
    let stripes = (0..<side).flatMap { [UInt8](repeating: period[$0 % period.count], count: 3) }
    let white = [UInt8](repeating: 255, count: side * 3)
    return try Pictures.frame(
      Pictures.Raw(width: side, height: side, bgr: (0..<side).flatMap { isStriped($0) ? stripes : white }))
  }

  /// The rows that were searched for nothing.
  private static func searched(_ frame: Frame, atMost most: Int) throws -> Int {
    var (rows, bytes, quad) = (most, cvision_bytes(), cvision_quad())
    #expect(cvision_read_pdf417(frame.handle, &rows, &bytes, &quad) == CVISION_NOT_FOUND)
    return most - rows
  }

  @Test("stripes count as often as they look like a start pattern, in each direction", arguments: 0..<4)
  func directions(quarters: Int) throws {
    // Ten in each of 180 rows, and 12 besides for each.
    let searched = try Self.searched(Self.striped(side: 180).rotated(quarters: quarters), atMost: .max / 2)
    #expect(searched >= 10 * 180 && searched <= 11 * (180 + 12))
  }

  @Test("a picture with more than may be searched is not searched")
  func most() throws {
    let frame = try Self.striped(side: 600)
    #expect(try Self.searched(frame, atMost: 20_000) == 0)
    #expect(try Self.searched(frame, atMost: 30_000) > 20_000)
  }

  @Test("rows between stripes count, because ZXing skips as many")
  func gaps() throws {
    let searched = try Self.searched(Self.striped(side: 260) { $0.isMultiple(of: 26) }, atMost: .max / 2)
    #expect(searched >= 14 * 220)
  }

  @Test("copies of what is striped like a symbol are searched no more than one picture may be", arguments: [1, 2, 3])
  func whole(module: Int) throws {
    let frame = try Self.striped(side: 1000, module: module)
    let page = try Page.whole(frame)
    let search = BarcodeSearch(frame: frame, page: page)
    #expect(try search.first() == nil && search.others() == nil)
    #expect(search.effort.rows >= 0)
    let free = BarcodeSearch(frame: frame, page: page)
    free.effort.rows = .max / 2
    #expect(try free.first() == nil)
    #expect(.max / 2 - free.effort.rows > BarcodeEffort.rowsMax)
  }

  @Test("a symbol is read where something was searched for nothing before, and takes nothing off")
  func honest() throws {
    let drawn = try SpecimenCache.draw(.drivingLicence, seed: 1)
    let back = try #require(drawn.images.first { $0.side == .back }).picture.data
    let frame = try Frame.open(back, limits: ImageLimits()).frame
    let search = BarcodeSearch(frame: frame, page: try Page.whole(frame))
    search.effort.rows = BarcodeEffort.rowsMax / 4
    #expect(try search.first()?.reading.licence.number == drawn.truth.papers.number)
    #expect(search.effort.rows == BarcodeEffort.rowsMax / 4)
    search.effort.rows = 0
    #expect(try search.first() == nil)
  }
}
