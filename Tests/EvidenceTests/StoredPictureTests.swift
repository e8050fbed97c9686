// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Evidence

@Suite("Evidence: memory of pictures that are decoded with more than their pixels (issue 24)")
struct StoredPictureTests {
  @Test(
    "a JPEG of one scan that is held as coefficients has the limit of those with several", arguments: Kind.allCases)
  func oneScan(kind: Kind) throws {
    let bytes = kind.file(width: 8000, height: 7496)
    let header = try #require(ImageHeader(bytes, format: .jpeg))
    #expect(header.scans == 1 && header.isStored)
    let most = ImageLimits().pixelsMax(of: header)
    let before = try PeakMemory.restart()
    #expect(throws: ImageProblem.dimensionsTooLarge(sideMax: 8000, pixelsMax: most)) {
      try EvidenceImage(taking: bytes)
    }
    #expect(try PeakMemory.bytes() - before < 20_000_000)
    #expect(try EvidenceImage(taking: kind.file(width: 704, height: 664)).width == 704, "a small one is taken in")
  }

  @Test("no picture takes more than the limits say, whatever its kind")
  func most() throws {
    let limits = ImageLimits()
    for kind in Kind.allCases {
      // A row of blocks less than the limit, so that the sides are whole.
      let header = try #require(ImageHeader(kind.file(width: 800, height: 664), format: .jpeg))
      let side = Int(Double(limits.pixelsMax(of: header)).squareRoot())
      var largest = header
      (largest.width, largest.height) = (side, side)
      #expect(limits.decodingBytes(of: largest) <= 176_000_000)
    }
  }

  @Test("what takes much is decoded alone: coefficients, and a large picture that is turned by a quarter")
  func large() throws {
    let limits = ImageLimits()
    let plain = Pictures.jpegHeader(width: 8000, height: 3992)
    var header = try #require(ImageHeader(Kind.progressive.file(width: 704, height: 664), format: .jpeg))
    #expect(!limits.isLarge(plain), "no scan, and so no picture")
    (header.width, header.height, header.isStored) = (8000, 4000, false)
    #expect(limits.decodingBytes(of: header) <= limits.sharedBytesMax, "a picture as cameras make it")
    for orientation in 2...4 {
      header.orientation = orientation
      #expect(limits.decodingBytes(of: header) <= limits.sharedBytesMax)
    }
    for orientation in 5...8 {
      header.orientation = orientation
      #expect(limits.decodingBytes(of: header) > limits.sharedBytesMax)
    }
    let stored = Kind.progressive.file(width: 4000, height: 3200)
    #expect(limits.isLarge(stored))
    #expect(!limits.isLarge(stored.dropLast(2)), "not whole, and so refused")
    #expect(!limits.isLarge(Kind.progressive.file(width: 8000, height: 7496)), "refused by its header")
    #expect(!limits.isLarge(Kind.progressive.file(width: 3000, height: 2000)))
    #expect(!limits.isLarge(Data()) && !limits.isLarge(Data(repeating: 0, count: 100)))
  }

  @Test("pictures that are held at once count together")
  func together() {
    let one = Kind.progressive.file(width: 3000, height: 2400)
    #expect(!ImageLimits().isLarge(one) && ImageLimits().isLarge(one, one))
  }

  @Test("a document's photograph of 13 million pixels is read beside others, and one of 14.5 million alone")
  func compared() {
    let limits = ImageLimits()
    // As Pixel telephones make them.
    #expect(!limits.isLarge(Self.plain(width: 4080, height: 3072), isCompared: true))
    let large = Self.plain(width: 4700, height: 3096)
    #expect(limits.isLarge(large, isCompared: true) && !limits.isLarge(large))
    let larger = Self.plain(width: 5008, height: 3200)
    #expect(limits.isLarge(larger, isCompared: true), "not looked at, and reading takes as much")
  }

  @Test("a picture that is held as coefficients, of more than 16 million pixels, is decoded with sides half as long")
  func halved() throws {
    let bytes = Kind.progressive.file(width: 6000, height: 4000)
    let header = try #require(ImageHeader(bytes, format: .jpeg))
    let before = try PeakMemory.restart()
    let frame = try Frame.open(bytes, limits: ImageLimits()).frame
    #expect(frame.width == 3000 && frame.height == 2000)
    #expect(Double(try PeakMemory.bytes() - before) < Double(ImageLimits().decodingBytes(of: header)) * 1.1)
    #expect(try Frame.open(Kind.progressive.file(width: 4000, height: 2992), limits: ImageLimits()).frame.width == 4000)
  }

  @Test("edited regions are looked for before the picture is held, and take no more than is counted")
  func lookedFor() throws {
    let (width, height) = (4000, 3000)
    let bytes = Self.plain(width: width, height: height)
    let header = try #require(ImageHeader(bytes, format: .jpeg))
    let counted = EditedRegion.bytes(of: header, .jpeg)
    #expect(counted == width * height * 8)
    let before = try PeakMemory.restart()
    var clock = StageClock()
    let opened = try EvidenceReader().opened(bytes, &clock)
    #expect(opened.0.width == width)
    #expect(Double(try PeakMemory.bytes() - before) < Double(counted) * 1.2)
  }

  @Test("a picture is turned as its orientation says, to the pixel, where sides are odd, too", arguments: 1...8)
  func pixels(orientation: Int) throws {
    for (width, height) in [(37, 23), (1, 5), (5, 1), (64, 33)] {
      var random = SeededGenerator(seed: UInt64(orientation))
      let raw = Pictures.Raw(
        width: width, height: height, bgr: (0..<width * height * 3).map { _ in UInt8(random.next() & 255) })
      let png = try Pictures.png(raw)
      var header = try #require(ImageHeader(png, format: .png))
      let plane = try LumaPlane(Frame(decoding: png, format: .png, header: header))
      header.orientation = orientation
      let turned = try LumaPlane(Frame(decoding: png, format: .png, header: header))
      let (isTurned, right, below) = (orientation >= 5, width - 1, height - 1)
      #expect(turned.width == (isTurned ? height : width) && turned.height == (isTurned ? width : height))
      for y in 0..<turned.height {
        for x in 0..<turned.width {
          // EXIF 2.32 §4.6.4: where the 0th row and column of what is stored are shown.
          let (column, row) =
            switch orientation {
            case 2: (right - x, y)
            case 3: (right - x, below - y)
            case 4: (x, below - y)
            case 5: (y, x)
            case 6: (y, below - x)
            case 7: (right - y, below - x)
            case 8: (right - y, x)
            default: (x, y)
            }
          #expect(turned.luma[y * turned.width + x] == plane.luma[row * width + column])
        }
      }
    }
  }

  @Test("a picture that is turned is held twice at most, and once where its sides stay as they are", arguments: 2...8)
  func turned(orientation: Int) throws {
    let (width, height) = (5000, 3000)
    let bytes = Pictures.withEXIF(
      Pictures.cmyk(width: width, height: height, isProgressive: false), orientation: orientation, note: "x")
    let before = try PeakMemory.restart()
    let frame = try Frame.open(bytes, limits: ImageLimits()).frame
    #expect(frame.width == (orientation < 5 ? width : height))
    let pictures = Double(try PeakMemory.bytes() - before) / Double(width * height * 3)
    #expect(pictures < (orientation < 5 ? 1.5 : 2.5))
  }

  /// A JPEG of one scan, black, of which libjpeg holds no coefficients.
  static func plain(width: Int, height: Int) -> Data {
    Kind.file(width: width, height: height, marker: 0xC0, components: 3, scanned: 3)
  }

  /// JPEGs of one scan, black and small to send, that libjpeg holds as coefficients.
  enum Kind: CaseIterable {
    case progressive, progressiveInks, incomplete

    func file(width: Int, height: Int) -> Data {
      let components = self == .progressiveInks ? 4 : 3
      let isComplete = self != .incomplete
      return Self.file(
        width: width, height: height, marker: isComplete ? 0xC2 : 0xC0, components: components,
        scanned: isComplete ? components : 1)
    }

    /// - Parameter marker: of the frame, sequential (0xC0) or progressive (0xC2).
    static func file(width: Int, height: Int, marker: UInt8, components: Int, scanned: Int) -> Data {
      func pair(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }
      let isSequential = marker == 0xC0
      // One code of one bit: no difference of the mean, and the end of a block.
      let code: [UInt8] = [1] + [UInt8](repeating: 0, count: 16)
      var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
      bytes += [0xFF, marker] + pair(8 + 3 * components) + [8] + pair(height) + pair(width) + [UInt8(components)]
      for component in 1...components { bytes += [UInt8(component), 0x11, 0] }
      bytes += [0xFF, 0xC4, 0, 20, 0x00] + code + [0xFF, 0xC4, 0, 20, 0x10] + code
      bytes += [0xFF, 0xDA] + pair(6 + 2 * scanned) + [UInt8(scanned)]
      for component in 1...scanned { bytes += [UInt8(component), 0] }
      bytes += isSequential ? [0, 63, 0] : [0, 0, 0]
      let blocks = (width + 7) / 8 * ((height + 7) / 8)
      let bits = blocks * scanned * (isSequential ? 2 : 1)
      return Data(bytes) + Data(count: (bits + 7) / 8) + Data([0xFF, 0xD9])
    }
  }
}
