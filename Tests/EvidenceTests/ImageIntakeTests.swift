// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Evidence

@Suite("Evidence: taking images in")
struct ImageIntakeTests {
  @Test(
    "the format is told by the first bytes alone",
    arguments: [
      ([0xFF, 0xD8, 0xFF, 0xE0], ImageFormat.jpeg), ([0xFF, 0xD8, 0xFF, 0xDB], .jpeg),
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png), ([0xFF, 0xD8], nil), ([0x89, 0x50, 0x4E, 0x47], nil),
      (Array("GIF89a..".utf8), nil), (Array("%PDF-1.7".utf8), nil), (Array("RIFF....WEBP".utf8), nil),
      ([0x00, 0x00, 0x00, 0x18, 0x66, 0x74, 0x79, 0x70, 0x68, 0x65, 0x69, 0x63], nil), ([], nil),
    ] as [([UInt8], ImageFormat?)])
  func sniffing(bytes: [UInt8], format: ImageFormat?) {
    #expect(ImageFormat(sniffing: Data(bytes)) == format)
  }

  @Test("an empty, a foreign and an oversized file are refused with their own codes")
  func refusals() {
    #expect(throws: ImageProblem.empty) { try EvidenceImage(taking: Data()) }
    #expect(throws: ImageProblem.unsupportedMedia) { try EvidenceImage(taking: Data("GIF89a".utf8)) }
    var limits = ImageLimits()
    limits.bytesMax = 100
    #expect(throws: ImageProblem.tooLarge(bytesMax: 100)) {
      try EvidenceImage(taking: Pictures.jpeg(Pictures.gradient(700, 700)), limits: limits)
    }
  }

  @Test("a picture that was pressed hard is not kept larger than it was sent")
  func noGrowth() throws {
    var random = SeededGenerator(seed: 11)
    let noise = Pictures.Raw.noise(2400, 2400) { random.next() }
    let pressed = try Pictures.frame(noise).jpeg(quality: 20)
    #expect(pressed.count > EvidenceImage.bytesAllowed)
    #expect(try EvidenceImage(taking: pressed).bytes.count <= pressed.count)
  }

  @Test("a small file is refused that would be kept larger than one may be sent")
  func amplified() throws {
    var random = SeededGenerator(seed: 12)
    let row = (0..<3200).flatMap { _ in [UInt8](repeating: random.next() & 1 == 0 ? 0 : 255, count: 3) }
    let stripes = Pictures.Raw(width: 3200, height: 2800, bgr: (0..<2800).flatMap { _ in row })
    let file = try Pictures.png(stripes)
    var limits = ImageLimits()
    limits.bytesMax = EvidenceImage.bytesAllowed
    #expect(file.count < limits.bytesMax / 4)
    #expect(throws: ImageProblem.tooLarge(bytesMax: limits.bytesMax)) {
      try EvidenceImage(taking: file, limits: limits)
    }
  }

  @Test("a small file that claims 60000 × 60000 pixels is refused before it is decoded")
  func bomb() {
    let header = Pictures.pngHeader(width: 60_000, height: 60_000)
    #expect(throws: ImageProblem.dimensionsTooLarge(sideMax: 8000, pixelsMax: 60_000_000)) {
      try EvidenceImage(taking: header)
    }
    #expect(throws: ImageProblem.dimensionsTooLarge(sideMax: 8000, pixelsMax: 60_000_000)) {
      try EvidenceImage(taking: Pictures.jpegHeader(width: 60_000, height: 60_000))
    }
    #expect(throws: ImageProblem.dimensionsTooLarge(sideMax: 8000, pixelsMax: 60_000_000)) {
      try EvidenceImage(taking: Pictures.pngHeader(width: 7900, height: 7900))
    }
  }

  @Test("a frame header that only libjpeg would find is refused, and so is a second one")
  func hiddenFrame() throws {
    let hidden = Pictures.jpegWithHiddenFrame(width: 40_000, height: 40_000)
    #expect(ImageHeader(hidden, format: .jpeg) == nil)
    #expect(throws: ImageProblem.notDecodable) { try EvidenceImage(taking: hidden) }
    let twice =
      Data([0xFF, 0xD8]) + Pictures.jpegHeader(width: 700, height: 660).dropFirst(2).prefix(19)
      + Pictures.jpegHeader(width: 640, height: 640).dropFirst(2)
    #expect(ImageHeader(twice, format: .jpeg) == nil)
  }

  @Test(
    "a decoder that finds anything else than was checked decodes nothing", arguments: [ImageFormat.jpeg, .png],
    [\ImageHeader.width, \.height, \.components, \.depth, \.scans])
  func otherHeader(format: ImageFormat, field: any WritableKeyPath<ImageHeader, Int> & Sendable) throws {
    let raw = Pictures.gradient(700, 660)
    let bytes = format == .jpeg ? try Pictures.jpeg(raw) : try Pictures.png(raw)
    var header = try #require(ImageHeader(bytes, format: format))
    #expect(try Frame(decoding: bytes, format: format, header: header).width == 700)
    header[keyPath: field] += 1
    #expect(throws: ImageProblem.notDecodable) { try Frame(decoding: bytes, format: format, header: header) }
    header[keyPath: field] -= 2
    #expect(throws: ImageProblem.notDecodable) { try Frame(decoding: bytes, format: format, header: header) }
  }

  @Test("texts and profiles of a PNG are not inflated", arguments: ["zTXt", "iTXt", "iCCP"])
  func compressedChunks(name: String) throws {
    let png = try Pictures.png(Pictures.gradient(700, 660))
    let bomb = Pictures.withCompressed(name, in: png, count: 60, inflated: 7_900_000)
    let plain = try EvidenceImage(taking: png)
    let before = try PeakMemory.restart()
    #expect(try EvidenceImage(taking: bomb) == plain)
    #expect(try PeakMemory.bytes() - before < 100_000_000)
  }

  @Test("what a PNG has behind its last row is not inflated")
  func longPicture() throws {
    let bytes = Pictures.pngWithTail(width: 640, height: 640, tail: 120_000_000)
    #expect(try #require(ImageHeader(bytes, format: .png)).isWhole)
    #expect(throws: ImageProblem.notDecodable) { try EvidenceImage(taking: bytes) }
    #expect(try EvidenceImage(taking: Pictures.pngWithTail(width: 640, height: 640, tail: 1)).width == 640)
  }

  @Test("a JPEG of several scans may have fewer pixels, for its decoder holds them all at once; and not many scans")
  func severalScans() throws {
    let bytes = Pictures.progressive(width: 5000, height: 5000)
    let most = ImageLimits().pixelsOfScansMax
    let before = try PeakMemory.restart()
    #expect(throws: ImageProblem.dimensionsTooLarge(sideMax: 8000, pixelsMax: most)) {
      try EvidenceImage(taking: bytes)
    }
    #expect(try PeakMemory.bytes() - before < 20_000_000)
    let small = Pictures.progressive(width: 700, height: 660)
    let header = try #require(ImageHeader(small, format: .jpeg))
    #expect(header.scans == 10)
    #expect(try EvidenceImage(taking: small).width == 700)
    var limits = ImageLimits()
    limits.scansMax = 9
    #expect(throws: ImageProblem.notDecodable) { try EvidenceImage(taking: small, limits: limits) }
  }

  @Test("a picture of very many pixels is taken in at half its size, and a smaller one as it is")
  func halved() throws {
    let raw = Pictures.gradient(1301, 1203)
    var limits = ImageLimits()
    limits.wholePixelsMax = 1301 * 1203
    let jpeg = try Pictures.jpeg(raw)
    let whole = try Frame.open(jpeg, limits: limits).frame
    #expect(whole.width == 1301 && whole.height == 1203)
    limits.wholePixelsMax -= 1
    let half = try Frame.open(jpeg, limits: limits).frame
    #expect(half.width == 651 && half.height == 602)
    let (sent, kept) = (try LumaPlane(whole.scaled(toWidth: 100)), try LumaPlane(half.scaled(toWidth: 100)))
    let differences = zip(sent.luma, kept.luma).map { abs(Int($0) - Int($1)) }
    #expect(try #require(differences.max()) <= 3, "it shows the same")
    #expect(throws: ImageProblem.notDecodable) { try Frame.open(jpeg.prefix(jpeg.count / 2), limits: limits) }
    limits.wholePixelsMax = 1
    #expect(try Frame.open(Pictures.progressive(width: 700, height: 660), limits: limits).frame.width == 350)
    let inks = Pictures.cmyk(width: 700, height: 660, isProgressive: false)
    #expect(try Frame.open(inks, limits: limits).frame.height == 330)
    #expect(ImageLimits().wholePixelsMax < ImageLimits().pixelsMax)
  }

  @Test("a large PNG is taken in at half its size, with passes or without them", arguments: [false, true])
  func halvedPNG(isInterlaced: Bool) throws {
    // Odd sides: the last row and column stand alone.
    let raw = Pictures.gradient(1301, 1203)
    let png = isInterlaced ? Pictures.interlaced(raw) : try Pictures.png(raw)
    var limits = ImageLimits()
    limits.wholePixelsMax = 1301 * 1203
    let whole = try Frame.open(png, limits: limits).frame
    #expect(whole.width == 1301 && whole.height == 1203)
    limits.wholePixelsMax -= 1
    let half = try Frame.open(png, limits: limits).frame
    #expect(half.width == 651 && half.height == 602)
    let (sent, kept) = (try LumaPlane(whole), try LumaPlane(half))
    var most = 0
    for y in 0..<602 {
      for x in 0..<651 {
        let rows = [2 * y, min(2 * y + 1, 1202)]
        let columns = [2 * x, min(2 * x + 1, 1300)]
        let four: [Int] = rows.flatMap { row in columns.map { Int(sent.luma[row * 1301 + $0]) } }
        // The passes that are decoded of an interlaced picture hold one of the four.
        let expected = isInterlaced ? four[0] : (four.reduce(2, +)) / 4
        most = max(most, abs(expected - Int(kept.luma[y * 651 + x])))
      }
    }
    #expect(most <= 1, "each pixel shows what its four show")
    #expect(throws: ImageProblem.notDecodable) { try Frame.open(png.prefix(png.count / 2), limits: limits) }
    var header = try #require(ImageHeader(png, format: .png))
    header.scans = isInterlaced ? 1 : 7
    #expect(throws: ImageProblem.notDecodable) {
      try Frame(decoding: png, format: .png, header: header, wholeMax: 1)
    }
  }

  @Test("a PNG of 59 million pixels takes no more memory than a page may")
  func largestPNG() throws {
    let png = Pictures.pngWithTail(width: 7700, height: 7700, tail: 1)
    let before = try PeakMemory.restart()
    let frame = try Frame.open(png, limits: ImageLimits()).frame
    #expect(frame.width == 3850 && frame.height == 3850)
    #expect(try PeakMemory.bytes() - before < 100_000_000)
  }

  @Test("what a large PNG has behind its last row is not inflated")
  func longLargePicture() {
    var limits = ImageLimits()
    limits.wholePixelsMax = 1
    let bytes = Pictures.pngWithTail(width: 640, height: 640, tail: 120_000_000)
    #expect(throws: ImageProblem.notDecodable) { try Frame.open(bytes, limits: limits) }
  }

  @Test("a large JPEG that is turned by its EXIF orientation is halved and upright")
  func halvedAndTurned() throws {
    let header = try #require(ImageHeader(Pictures.jpeg(Pictures.gradient(901, 701)), format: .jpeg))
    var turned = header
    turned.orientation = 6
    let frame = try Frame(
      decoding: Pictures.jpeg(Pictures.gradient(901, 701)), format: .jpeg, header: turned, wholeMax: 1)
    #expect(frame.width == 351 && frame.height == 451)
  }

  @Test("an image below 600 pixels on its shorter side is refused; a card scanned at 300 dpi is not")
  func tooSmall() throws {
    #expect(throws: ImageProblem.tooSmall(sideMin: 600)) {
      try EvidenceImage(taking: Pictures.jpeg(Pictures.gradient(800, 599)))
    }
    let image = try EvidenceImage(taking: Pictures.jpeg(Pictures.gradient(1011, 638)))
    #expect(image.width == 1011 && image.height == 638)
  }

  @Test("a JPEG in CMYK is taken in and shows what was printed", arguments: [false, true])
  func cmyk(isProgressive: Bool) throws {
    let source = Pictures.cmyk(width: 700, height: 660, isProgressive: isProgressive)
    #expect(try #require(ImageHeader(source, format: .jpeg)).components == 4)
    let (image, frame) = try EvidenceImage.take(source, limits: ImageLimits())
    #expect(image.width == 700 && image.height == 660)
    // Every ink lets half of the light through: cyan, magenta and yellow one half each, black half of that.
    let plane = try LumaPlane(frame)
    #expect(plane.luma.allSatisfy { (62...66).contains($0) } && plane.chroma.allSatisfy { $0 <= 2 })
    #expect(ImageHeader(image.bytes, format: .jpeg)?.components == 3)
  }

  @Test("what is kept has no metadata, and its digest is of what is kept")
  func stripped() throws {
    let secret = "GPS 50.087 14.421 Owner"
    let source = Pictures.withEXIF(try Pictures.jpeg(Pictures.gradient(700, 660)), orientation: 1, note: secret)
    #expect(source.range(of: Data(secret.utf8)) != nil)
    let image = try EvidenceImage(taking: source)
    #expect(image.bytes.range(of: Data(secret.utf8)) == nil)
    #expect(image.bytes.range(of: Data("Exif".utf8)) == nil)
    #expect(image.sha256.count == 64)
    #expect(try EvidenceImage(taking: source) == image)
  }

  @Test(
    "EXIF orientation is applied",
    arguments: [(1, 700, 660), (3, 700, 660), (6, 660, 700), (8, 660, 700), (5, 660, 700), (9, 700, 660)])
  func orientation(value: Int, width: Int, height: Int) throws {
    let source = Pictures.withEXIF(try Pictures.jpeg(Pictures.gradient(700, 660)), orientation: value, note: "x")
    let image = try EvidenceImage(taking: source)
    #expect(image.width == width && image.height == height)
  }

  @Test("a picture turned by its orientation has its dark corner where a viewer shows it")
  func orientedPixels() throws {
    // The gradient is darkest at the upper left; 6 says: turn a quarter clockwise.
    let source = Pictures.withEXIF(try Pictures.jpeg(Pictures.gradient(700, 660)), orientation: 6, note: "x")
    let (_, frame) = try EvidenceImage.take(source, limits: ImageLimits())
    let plane = try LumaPlane(frame)
    #expect(plane.luma[plane.width - 1] < 20)
    #expect(plane.luma[0] > plane.luma[plane.width - 1])
  }

  @Test("PNG is taken and kept as JPEG")
  func png() throws {
    let image = try EvidenceImage(taking: Pictures.png(Pictures.gradient(700, 660)))
    #expect(image.sourceFormat == .png)
    #expect(ImageFormat(sniffing: image.bytes) == .jpeg)
  }

  @Test("a file that is cut off anywhere is refused", arguments: [ImageFormat.jpeg, .png])
  func truncated(format: ImageFormat) throws {
    let whole =
      format == .jpeg ? try Pictures.jpeg(Pictures.gradient(700, 660)) : try Pictures.png(Pictures.gradient(700, 660))
    for share in [0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97] {
      let cut = whole.prefix(Int(Double(whole.count) * share))
      #expect(throws: ImageProblem.notDecodable) { try EvidenceImage(taking: Data(cut)) }
    }
  }

  @Test("random and damaged bytes never crash and never pass as another type")
  func fuzz() throws {
    var random = SeededGenerator(seed: 20_260_101)
    let whole = try Pictures.jpeg(Pictures.gradient(660, 660))
    let heads: [[UInt8]] = [[], [0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]]
    for round in 0..<150 {
      let count = Int(random.next() % 400)
      let noise = heads[round % 3] + (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      #expect(throws: ImageProblem.self) { try EvidenceImage(taking: Data(noise)) }
      var damaged = whole
      for _ in 0..<8 {
        damaged[Int(random.next() % UInt64(damaged.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      // Some damage leaves a picture; the rest must be refused as a value.
      do { _ = try EvidenceImage(taking: damaged) } catch { #expect(error is ImageProblem) }
    }
  }
}
