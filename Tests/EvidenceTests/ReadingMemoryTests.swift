// SPDX-License-Identifier: Apache-2.0

import CVision
import Foundation
import TestSupport
import Testing

@testable import Evidence

@Suite("Evidence: memory of pictures while they are read (issue 24)")
struct ReadingMemoryTests {
  private static func frame(width: Int, height: Int) throws -> Frame {
    try Frame.open(StoredPictureTests.plain(width: width, height: height), limits: ImageLimits()).frame
  }

  @Test("barcodes are looked for in six million pixels, however large the picture is")
  func largeFrame() throws {
    let frame = try Self.frame(width: 8000, height: 4000)
    let page = try Page.whole(frame)
    let before = try PeakMemory.restart()
    #expect(try BarcodeSearch(frame: frame, page: page).first() == nil)
    // A copy in grey of the whole, and what the reader of barcodes holds of the smaller one.
    #expect(try PeakMemory.bytes() - before < 50_000_000)
  }

  @Test("a slender picture takes no more than others: its page and the copies of it have a limit of pixels")
  func slender() throws {
    let frame = try Self.frame(width: 1200, height: 8000)
    let page = try Page.whole(frame)
    #expect(page.frame.width * page.frame.height <= Page.pixelsMax)
    let before = try PeakMemory.restart()
    #expect(try BarcodeSearch(frame: frame, page: page).others() == nil)
    #expect(try PeakMemory.bytes() - before < ImageLimits.workingBytesMax)
  }

  @Test("pages of usual shape are as large as before, upright and across")
  func usual() throws {
    let across = try Page.whole(Self.frame(width: 4000, height: 3000)).frame
    #expect(across.width == 1600 && across.height == 1200)
    let upright = try Page.whole(Self.frame(width: 1800, height: 4200)).frame
    #expect(upright.width == 1200 && upright.height == 2800)
  }

  @Test("a copy by its width has as many pixels as it may")
  func width() throws {
    let frame = try Self.frame(width: 600, height: 8000)
    #expect(frame.width(300, most: 3_500_000) == 300)
    let width = frame.width(860, most: 3_500_000)
    #expect(width == 512 && frame.width(600, most: 1) == 1)
  }

  @Test("a barcode in a picture that is made smaller lies where it was")
  func place() throws {
    var limits = ImageLimits()
    limits.shortSideMin = 21
    let code = Pictures.Raw(try LumaPlane(Frame.open(QRCode.png("place", module: 20), limits: limits).frame))
    var raw = Pictures.Raw.even(3200, 2400, blue: 255, green: 255, red: 255)
    raw.lay(code, x: 2000, y: 1200)
    let frame = try Pictures.frame(raw)
    #expect(frame.width * frame.height > 6_000_000)
    var (bytes, quad) = (cvision_bytes(), cvision_quad())
    try CVisionFailure.check(cvision_read_qr(frame.handle, &bytes, &quad))
    defer { cvision_bytes_free(&bytes) }
    #expect(UnsafeBufferPointer(start: bytes.data, count: bytes.count).elementsEqual("place".utf8))
    // The symbol has four modules of 20 pixels around it.
    let region = Quad(quad).region
    #expect(abs(region.x - 2080) < 10 && abs(region.y - 1280) < 10)
    #expect(abs(region.width - (code.width - 160)) < 20)
  }

  @Test("a JPEG is given up as soon as it takes more bytes than it may")
  func encoder() throws {
    var random = SeededGenerator(seed: 24)
    let frame = try Pictures.frame(Pictures.Raw.noise(700, 660) { random.next() })
    let whole = try frame.jpeg(quality: 94)
    #expect(whole.count > 200_000)
    #expect(try frame.jpeg(quality: 94, bytesMax: whole.count + 1) == whole)
    #expect(try frame.jpeg(quality: 94, bytesMax: whole.count - 1) == nil)
    #expect(try frame.jpeg(quality: 94, bytesMax: 0) == nil)
  }

  @Test("free pieces between those in use are given back")
  func returned() throws {
    let (count, size) = (3000, 40_000)
    let pieces = (0..<count).map { _ in
      let piece = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      memset(piece, 1, size)
      return piece
    }
    for at in stride(from: 0, to: count, by: 2) { pieces[at].deallocate() }
    defer { for at in stride(from: 1, to: count, by: 2) { pieces[at].deallocate() } }
    let before = try PeakMemory.restart()
    cvision_return_memory()
    #expect(try before - PeakMemory.restart() > 40_000_000)
  }

  @Test("what takes more than half while it is read is read alone, though it is decoded in less")
  func alone() throws {
    let limits = ImageLimits()
    // As telephones make them.
    #expect(!limits.isLarge(StoredPictureTests.plain(width: 4080, height: 3072)))
    let large = StoredPictureTests.plain(width: 5600, height: 4000)
    let header = try #require(ImageHeader(large, format: .jpeg))
    #expect(limits.decodingBytes(of: header) <= limits.sharedBytesMax)
    #expect(limits.isLarge(large))
    #expect(!limits.isLarge(large.dropLast(2)), "not whole, and so refused")
  }
}
