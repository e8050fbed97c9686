// SPDX-License-Identifier: Apache-2.0

import CCodecs
import CVision
import CZlib
import Foundation
import PictureScenes

@testable import Evidence

extension RawPicture {
  /// In grey.
  init(_ plane: LumaPlane) {
    self.init(width: plane.width, height: plane.height, bgr: plane.luma.flatMap { [$0, $0, $0] })
  }

  /// - Precondition: it lies within.
  func part(x: Int, y: Int, width: Int, height: Int) -> RawPicture {
    var part: [UInt8] = []
    for row in y..<y + height {
      let first = (row * self.width + x) * 3
      part += bgr[first..<first + width * 3]
    }
    return RawPicture(width: width, height: height, bgr: part)
  }

  /// Lays another picture on this one, what lies outside left out.
  mutating func lay(_ other: RawPicture, x: Int, y: Int) {
    for row in max(0, -y)..<min(other.height, height - y) {
      for column in max(0, -x)..<min(other.width, width - x) {
        let (from, to) = ((row * other.width + column) * 3, ((y + row) * width + x + column) * 3)
        bgr.replaceSubrange(to..<to + 3, with: other.bgr[from..<from + 3])
      }
    }
  }
}

/// Small pictures for tests, and the bytes of files that lie about themselves.
enum Pictures {
  typealias Raw = RawPicture

  static func gradient(_ width: Int, _ height: Int) -> Raw { .gradient(width, height) }

  static func frame(_ raw: Raw) throws -> Frame {
    var out: OpaquePointer?
    try CVisionFailure.check(cvision_frame_from_bgr(raw.bgr, Int32(raw.width), Int32(raw.height), &out))
    guard let out else { throw CVisionFailure(reason: "no frame") }
    return Frame(owning: out)
  }

  static func jpeg(_ raw: Raw) throws -> Data { try frame(raw).jpeg(quality: 90) }

  static func png(_ raw: Raw) throws -> Data {
    var bytes = cvision_bytes()
    let frame = try frame(raw)
    // The frame must outlive the call that was given its handle.
    try withExtendedLifetime(frame) { try CVisionFailure.check(cvision_encode_png(frame.handle, &bytes)) }
    defer { cvision_bytes_free(&bytes) }
    return Data(bytes: bytes.data, count: bytes.count)
  }

  /// The signature and an IHDR that claims these dimensions; no picture follows.
  static func pngHeader(width: UInt32, height: UInt32) -> Data {
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
    bytes += big(width) + big(height) + [8, 2, 0, 0, 0, 0, 0, 0, 0]
    return Data(bytes)
  }

  /// A frame header that claims these dimensions, and the beginning of a scan.
  static func jpegHeader(width: UInt16, height: UInt16) -> Data {
    func pair(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }
    return Data(
      [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8] + pair(height) + pair(width) + [3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]
        + [0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0])
  }

  /// A JPEG of ten scans.
  static func progressive(width: Int, height: Int) -> Data {
    let file = codecs_make_jpeg(Int32(width), Int32(height), Int32(CODECS_PROGRESSIVE | CODECS_FLAT))
    defer { free(file.data) }
    return Data(bytes: file.data, count: file.count)
  }

  /// A JPEG of four inks, each at half, as Adobe's programs write them.
  static func cmyk(width: Int, height: Int, isProgressive: Bool) -> Data {
    let traits = CODECS_CMYK | CODECS_FLAT | (isProgressive ? CODECS_PROGRESSIVE : 0)
    let file = codecs_make_jpeg(Int32(width), Int32(height), Int32(traits))
    defer { free(file.data) }
    return Data(bytes: file.data, count: file.count)
  }

  /// Two frame headers: the one that libjpeg reads is hidden in what looks like a segment of the marker FF 00, and a
  /// small one stands behind that segment.
  static func jpegWithHiddenFrame(width: UInt16, height: UInt16) -> Data {
    let hidden = jpegHeader(width: width, height: height).dropFirst(2)
    let length = hidden.count + 2
    return Data([0xFF, 0xD8, 0xFF, 0x00, UInt8(length >> 8), UInt8(length & 255)]) + hidden
      + jpegHeader(width: 640, height: 640).dropFirst(2)
  }

  /// A black PNG whose picture inflates to `tail` bytes more than it has.
  static func pngWithTail(width: Int, height: Int, tail: Int) -> Data {
    let rows = [UInt8](repeating: 0, count: (1 + 3 * width) * height + tail)
    let header = big(UInt32(width)) + big(UInt32(height)) + [8, 2, 0, 0, 0]
    return Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + chunk("IHDR", header)
      + chunk("IDAT", deflated(rows)) + chunk("IEND", [])
  }

  /// A PNG in the seven passes of Adam7 (ISO/IEC 15948 §8.2).
  static func interlaced(_ raw: Raw) -> Data {
    let passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    var rows: [UInt8] = []
    for (left, top, across, down) in passes {
      for y in stride(from: top, to: raw.height, by: down) {
        rows.append(0)
        for x in stride(from: left, to: raw.width, by: across) {
          let at = (y * raw.width + x) * 3
          rows += [raw.bgr[at + 2], raw.bgr[at + 1], raw.bgr[at]]
        }
      }
    }
    let header = big(UInt32(raw.width)) + big(UInt32(raw.height)) + [8, 2, 0, 0, 1]
    return Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + chunk("IHDR", header)
      + chunk("IDAT", deflated(rows, room: rows.count + 1000)) + chunk("IEND", [])
  }

  /// - Parameter room: bytes that it may take; zeros take a five-hundredth.
  private static func deflated(_ bytes: [UInt8], room: Int? = nil) -> [UInt8] {
    var deflated = [UInt8](repeating: 0, count: room ?? bytes.count / 500 + 1000)
    var size = uLongf(deflated.count)
    precondition(compress2(&deflated, &size, bytes, uLong(bytes.count), 9) == Z_OK)
    return Array(deflated.prefix(Int(size)))
  }

  /// A chunk of a PNG with its length and check sum.
  static func chunk(_ name: String, _ content: [UInt8]) -> Data {
    let body = Array(name.utf8) + content
    return Data(big(UInt32(content.count)) + body + big(UInt32(crc32(0, body, uInt(body.count)))))
  }

  /// The PNG with `count` chunks of texts or profiles behind its header, each of which inflates to `inflated` zeros.
  static func withCompressed(_ name: String, in png: Data, count: Int, inflated: Int) -> Data {
    // Of iTXt: the flag of compression, its method, and no language and no translated keyword.
    let start: [UInt8] = name == "iTXt" ? [0, 1, 0, 0, 0] : [0, 0]
    let zeros = [UInt8](repeating: 0, count: inflated)
    let chunk = chunk(name, Array("Comment".utf8) + start + deflated(zeros))
    let header = 8 + 12 + 13
    return png.prefix(header) + (0..<count).reduce(into: Data()) { texts, _ in texts += chunk } + png.dropFirst(header)
  }

  /// The JPEG with an EXIF segment put behind its first marker.
  static func withEXIF(_ jpeg: Data, orientation: Int, note: String) -> Data {
    let text = Array(note.utf8) + [0]
    var tiff: [UInt8] = Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 2]
    tiff += [0x01, 0x0E, 0, 2] + big(UInt32(text.count)) + big(38)
    tiff += [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0]
    tiff += [0, 0, 0, 0] + text
    let body = Array("Exif".utf8) + [0, 0] + tiff
    let length = body.count + 2
    return jpeg.prefix(2) + Data([0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + body) + jpeg.dropFirst(2)
  }

  private static func big(_ value: UInt32) -> [UInt8] {
    [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
  }
}
