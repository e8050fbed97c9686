// SPDX-License-Identifier: Apache-2.0

import CCodecs
import Foundation
import TestSupport

@testable import Evidence

/// Whole files of every kind, and what becomes of each.
struct PictureKind {
  let file: [UInt8]
  /// Whether the header reader takes it.
  var isTaken = true
  /// Whether libjpeg or libpng decodes it without a warning.
  var isWhole = true
  /// Of the picture, as EXIF says it; 1 when nothing does.
  var orientation = 1

  static func all(of format: ImageFormat) -> [PictureKind] {
    format == .jpeg ? jpegs + markedJPEGs : pngs + markedPNGs
  }

  // MARK: JPEG

  private static let jpegs = [
    0, CODECS_GREY, CODECS_PROGRESSIVE, CODECS_PROGRESSIVE | CODECS_GREY, CODECS_RESTARTS, CODECS_HALVED,
    CODECS_HALVED | CODECS_PROGRESSIVE | CODECS_RESTARTS, CODECS_APART, CODECS_CMYK, CODECS_CMYK | CODECS_PROGRESSIVE,
    CODECS_ARITHMETIC,
  ].enumerated().map { number, traits in
    PictureKind(file: jpeg(37 + Int32(number), 29, traits), isTaken: traits != CODECS_ARITHMETIC)
  }

  private static let markedJPEGs: [PictureKind] = {
    let plain = jpeg(41, 27, 0), grey = jpeg(39, 30, CODECS_GREY)
    let thumbnail = segment(0xE1, exif(orientation: 6, thumbnail: jpeg(16, 12, 0)))
    return [
      // Sequential frames of 12 bits, which libjpeg refuses when it is built for 8.
      PictureKind(file: twelveBits(plain), isTaken: false, isWhole: false),
      PictureKind(file: twelveBits(grey), isTaken: false, isWhole: false),
      // RGB and YCbCr; libjpeg warns of a transform that it does not know.
      PictureKind(file: adobe(plain, transform: 0)), PictureKind(file: adobe(plain, transform: 1)),
      PictureKind(file: adobe(plain, transform: 2), isWhole: false),
      // YCCK, and again one that it does not know.
      PictureKind(file: adobe(jpeg(42, 27, CODECS_CMYK), transform: 2)),
      PictureKind(file: adobe(jpeg(43, 27, CODECS_CMYK | CODECS_PROGRESSIVE), transform: 1), isWhole: false),
      PictureKind(file: inserted(thumbnail, in: plain), orientation: 6),
      // Only what stands before the scan counts.
      PictureKind(file: plain.dropLast(2) + thumbnail + plain.suffix(2)),
      PictureKind(file: plain + jpeg(90, 80, CODECS_PROGRESSIVE)), PictureKind(file: plain + png(90, 80, 2, 8)),
    ]
  }()

  private static func jpeg(_ width: Int32, _ height: Int32, _ traits: Int) -> [UInt8] {
    taken(codecs_make_jpeg(width, height, Int32(traits)))
  }

  /// The file with the marker and the precision of an extended frame (T.81 §B.2.2).
  private static func twelveBits(_ file: [UInt8]) -> [UInt8] {
    var file = file
    guard let frame = file.indices.first(where: { file[$0...].starts(with: [0xFF, 0xC0]) }) else { return [] }
    (file[frame + 1], file[frame + 4]) = (0xC1, 12)
    return file
  }

  /// The file with Adobe's segment, of 16 bytes with its marker, in the place of that of JFIF or of Adobe.
  private static func adobe(_ file: [UInt8], transform: UInt8) -> [UInt8] {
    let first = 4 + Int(file[4]) << 8 + Int(file[5])
    return file.prefix(2) + segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, transform]) + file.dropFirst(first)
  }

  private static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 255)] + body
  }

  private static func inserted(_ segment: [UInt8], in file: [UInt8]) -> [UInt8] {
    file.prefix(2) + segment + file.dropFirst(2)
  }

  /// EXIF 2.32 §4.6: the 0th IFD with an orientation, and the 1st with a JPEG, which says that it lies another way.
  private static func exif(orientation: UInt8, thumbnail: [UInt8]) -> [UInt8] {
    var first: [UInt8] = [0, 1] + entry(0x12, type: 3, [0, orientation, 0, 0])
    first += big(8 + 2 + 12 + 4)
    let at = 26 + 2 + 4 * 12 + 4
    let second: [UInt8] =
      [0, 4] + entry(0x03, type: 3, [0, 6, 0, 0]) + entry(0x12, type: 3, [0, 3, 0, 0])
      + entry(0x01, high: 2, type: 4, big(at)) + entry(0x02, high: 2, type: 4, big(thumbnail.count)) + big(0)
    return Array("Exif\0\0MM".utf8) + [0, 42] + big(8) + first + second + thumbnail
  }

  private static func entry(_ tag: UInt8, high: UInt8 = 1, type: UInt8, _ value: [UInt8]) -> [UInt8] {
    [high, tag, 0, type, 0, 0, 0, 1] + value
  }

  // MARK: PNG

  private static let pngs = [
    (0, 1), (0, 8), (0, 16), (2, 8), (2, 16), (3, 1), (3, 2), (3, 4), (3, 8), (4, 8), (4, 16), (6, 8), (6, 16),
  ].enumerated().flatMap { number, kind in
    [(0, 0), (1, 0), (0, 1), (1, 1)].map { interlaced, extras in
      PictureKind(file: png(37 + Int32(number), 29, kind.0, kind.1, interlaced: interlaced, extras: extras))
    }
  }

  private static let markedPNGs: [PictureKind] = {
    let plain = png(41, 27, 2, 8)
    let tiff = Array(exif(orientation: 6, thumbnail: jpeg(16, 12, 0)).dropFirst(6))
    let keyword = Array("Comment".utf8)
    // Chunks of more than the 64 KiB that the server lets libpng hold.
    let long = SeededGenerator(seed: 24).drawn(100_000)
    let texts = [("iCCP", Array("Profile".utf8) + [0, 0] + long), ("iTXt", keyword + [0, 0, 0, 0, 0] + long)]
    return [
      PictureKind(file: png(41, 27, 2, 8, chunks: [("eXIf", tiff)]), orientation: 6),
      // Only what stands before the picture counts.
      PictureKind(file: appended([("eXIf", tiff)], to: plain)),
      PictureKind(file: animated(isInterlaced: false)), PictureKind(file: animated(isInterlaced: true)),
      PictureKind(file: plain + png(90, 80, 6, 16)), PictureKind(file: plain + jpeg(90, 80, 0)),
      // Of two of its rows the chunks are longer than what the decoder may read of their content.
      PictureKind(file: cut(png(1500, 3, 2, 8))),
    ]
      + texts.map { PictureKind(file: png(41, 27, 2, 8, chunks: [$0])) }
      + texts.map { PictureKind(file: appended([$0], to: plain)) }
      + ["iCCP", "iTXt", "zTXt"].map {
        PictureKind(file: Array(Pictures.withCompressed($0, in: Data(plain), count: 2, inflated: 1 << 20)))
      }
  }()

  /// APNG (PNG, third edition, §11.3.6): the picture is the first frame, and another one stands in chunks that libpng
  /// skips.
  private static func animated(isInterlaced: Bool) -> [UInt8] {
    func control(_ number: Int) -> [UInt8] { big(number) + big(41) + big(27) + big(0) + big(0) + [0, 1, 0, 10, 0, 0] }
    let first = png(
      41, 27, 6, 8, interlaced: isInterlaced ? 1 : 0, chunks: [("acTL", big(2) + big(0)), ("fcTL", control(0))])
    return appended([("fcTL", control(1)), ("fdAT", big(2) + SeededGenerator(seed: 5).drawn(300))], to: first)
  }

  /// - Parameter chunks: put behind the header.
  private static func png(
    _ width: Int32, _ height: Int32, _ colour: Int, _ depth: Int, interlaced: Int = 0, extras: Int = 0,
    chunks: [(name: String, content: [UInt8])] = []
  ) -> [UInt8] {
    let file = taken(
      codecs_make_png(width, height, Int32(colour), Int32(depth), Int32(interlaced), Int32(extras)))
    return file.prefix(33) + chunks.flatMap { Pictures.chunk($0.name, $0.content) } + file.dropFirst(33)
  }

  /// Chunks between the picture and the end.
  private static func appended(_ chunks: [(name: String, content: [UInt8])], to file: [UInt8]) -> [UInt8] {
    file.dropLast(12) + chunks.flatMap { Pictures.chunk($0.name, $0.content) } + file.suffix(12)
  }

  /// The file with each byte of the picture in a chunk of its own.
  private static func cut(_ file: [UInt8]) -> [UInt8] {
    let starts = FileMutator.chunks(file)
    return file.prefix(8)
      + zip(starts, starts.dropFirst() + [file.count]).flatMap { start, end -> [UInt8] in
        guard file[(start + 4)..<(start + 8)].elementsEqual("IDAT".utf8) else { return Array(file[start..<end]) }
        return file[(start + 8)..<(end - 4)].flatMap { Pictures.chunk("IDAT", [$0]) }
      }
  }

  private static func big(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }

  private static func taken(_ file: codecs_file) -> [UInt8] {
    defer { free(file.data) }
    return Array(UnsafeBufferPointer(start: file.data, count: file.count))
  }
}

extension SeededGenerator {
  fileprivate func drawn(_ count: Int) -> [UInt8] {
    var copy = self
    return copy.bytes(count)
  }
}
