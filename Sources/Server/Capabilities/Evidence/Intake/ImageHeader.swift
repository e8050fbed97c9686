// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a file says of its picture, read without decoding any of it. It is what libjpeg and libpng will find: the fuzz
/// test compares them.
struct ImageHeader: Equatable {
  var width = 0
  var height = 0
  /// Samples a pixel as they are stored, 1 for a palette's index.
  var components = 0
  /// Bits of a sample.
  var depth = 0
  /// Scans of a JPEG; passes of a PNG, 1 or 7.
  var scans = 0
  /// Whether libjpeg holds the coefficients of the whole picture until its last scan is read: of a progressive frame also
  /// where there is one scan, and of a sequential one whose scan leaves components out.
  var isStored = false
  /// Whether the file reaches to the mark of its end; nothing else is decoded.
  var isWhole = false
  /// EXIF 2.32 tag 0x0112, 1…8; 1 when absent.
  var orientation = 1

  /// - Returns: nil when the file ends before its picture, makes no sense, or has a picture of a kind that is not taken.
  init?(_ bytes: Data, format: ImageFormat) {
    let header: ImageHeader? = bytes.withUnsafeBytes { raw in
      switch format {
      case .png: ImageHeader(png: ByteReader(raw))
      case .jpeg: ImageHeader(jpeg: ByteReader(raw))
      }
    }
    guard let header else { return nil }
    self = header
  }

  /// PNG (ISO/IEC 15948) §5.3: chunks from IHDR to IEND. eXIf (§11.3.4.5) counts before the picture.
  private init?(png reader: ByteReader) {
    guard reader.big32(8) == 13, reader.text(12, 4) == "IHDR", let width = reader.big32(16),
      let height = reader.big32(20), let depth = reader.byte(24), let colour = reader.byte(25),
      let interlace = reader.byte(28), (1...0x7FFF_FFFF).contains(width), (1...0x7FFF_FFFF).contains(height),
      let type = Self.colourTypes[colour], type.depths.contains(depth), reader.big16(26) == 0, interlace <= 1
    else { return nil }
    (self.width, self.height, self.depth) = (width, height, depth)
    components = type.components
    scans = interlace == 1 ? 7 : 1
    var at = 33
    var hasPicture = false
    while let length = reader.big32(at), let name = reader.text(at + 4, 4), at + 12 + length <= reader.count {
      switch name {
      case "IDAT": hasPicture = true
      case "IEND":
        isWhole = hasPicture
        return
      case "IHDR": return nil
      case "eXIf" where !hasPicture:
        orientation = Self.orientation(tiff: reader, at: at + 8, count: length) ?? 1
      default: break
      }
      at += length + 12
    }
  }

  /// Table 11.1 of the same.
  private static let colourTypes: [Int: (components: Int, depths: [Int])] = [
    0: (1, [1, 2, 4, 8, 16]), 2: (3, [8, 16]), 3: (1, [1, 2, 4, 8]), 4: (2, [8, 16]), 6: (4, [8, 16]),
  ]

  /// JPEG (ITU-T T.81) annex B: segments to the end of the image. Taken are Huffman-coded pictures of 8 bits,
  /// sequential or progressive, grey, in three components or in four (CMYK and YCCK). What libjpeg skips with a
  /// warning, such as a stuffed byte outside of a scan, is refused.
  private init?(jpeg reader: ByteReader) {
    var at = 2
    while true {
      while reader.byte(at) == 0xFF, reader.byte(at + 1) == 0xFF { at += 1 }
      guard reader.byte(at) == 0xFF, let marker = reader.byte(at + 1) else { return nil }
      switch marker {
      case 0x01, 0xD0...0xD7:
        // B.1.1.3: these have no length.
        at += 2
        continue
      case 0xD9:
        if scans == 0 { return nil }
        isWhole = true
        return
      case 0x00, 0xD8:
        // FF 00 is no marker, and there is one start of the image.
        return nil
      default: break
      }
      guard let length = reader.big16(at + 2) else { return nil }
      switch marker {
      case 0xC0, 0xC1, 0xC2:
        guard width == 0, let depth = reader.byte(at + 4), let height = reader.big16(at + 5),
          let width = reader.big16(at + 7), let components = reader.byte(at + 9), depth == 8, width > 0, height > 0,
          [1, 3, 4].contains(components), length == 8 + 3 * components
        else { return nil }
        (self.width, self.height, self.components, self.depth) = (width, height, components, depth)
        isStored = marker == 0xC2
      case 0xC3, 0xC5...0xC7, 0xC8...0xCB, 0xCD...0xCF:
        // Lossless, differential and arithmetic frames.
        return nil
      case 0xE1 where scans == 0 && reader.text(at + 4, 4) == "Exif":
        orientation = Self.orientation(tiff: reader, at: at + 10, count: length - 8) ?? 1
      case 0xDA:
        guard width > 0, let count = reader.byte(at + 4) else { return nil }
        scans += 1
        if scans > 1 || count < components { isStored = true }
      default: break
      }
      // A length counts its own two bytes; libjpeg takes one that does not for one that does.
      at += 2 + max(length, 2)
      if marker == 0xDA {
        guard let end = Self.endOfScan(reader, from: at) else { return }
        at = end
      }
    }
  }

  /// Where the first marker stands that is no restart: a stuffed FF is followed by 0, with fill bytes between them.
  private static func endOfScan(_ reader: ByteReader, from start: Int) -> Int? {
    var at = start
    while let found = reader.first(0xFF, from: at) {
      var next = found + 1
      while reader.byte(next) == 0xFF { next += 1 }
      guard let marker = reader.byte(next) else { return nil }
      guard marker == 0x00 || (0xD0...0xD7).contains(marker) else { return found }
      at = next + 1
    }
    return nil
  }

  /// The Orientation tag of the 0th IFD of a TIFF structure.
  private static func orientation(tiff reader: ByteReader, at start: Int, count: Int) -> Int? {
    let little: Bool
    switch reader.text(start, 2) {
    case "II": little = true
    case "MM": little = false
    default: return nil
    }
    func short(_ at: Int) -> Int? { little ? reader.little16(at) : reader.big16(at) }
    func long(_ at: Int) -> Int? { little ? reader.little32(at) : reader.big32(at) }
    guard short(start + 2) == 42, let offset = long(start + 4), offset < count,
      let entries = short(start + offset)
    else { return nil }
    for entry in 0..<min(entries, 200) {
      let at = start + offset + 2 + entry * 12
      guard at + 12 <= start + count, let tag = short(at) else { return nil }
      guard tag == 0x0112 else { continue }
      guard let value = short(at + 8), (1...8).contains(value) else { return nil }
      return value
    }
    return nil
  }
}

/// Bounds-checked reads of a byte buffer.
struct ByteReader {
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var count: Int { bytes.count }

  func byte(_ at: Int) -> Int? { at >= 0 && at < bytes.count ? Int(bytes[at]) : nil }

  /// The first place of a byte from `start` on.
  func first(_ byte: UInt8, from start: Int) -> Int? {
    guard start < bytes.count, let base = bytes.baseAddress,
      let found = memchr(base + start, Int32(byte), bytes.count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }

  func big16(_ at: Int) -> Int? {
    guard let high = byte(at), let low = byte(at + 1) else { return nil }
    return high << 8 | low
  }

  func big32(_ at: Int) -> Int? {
    guard let high = big16(at), let low = big16(at + 2) else { return nil }
    return high << 16 | low
  }

  func little16(_ at: Int) -> Int? {
    guard let low = byte(at), let high = byte(at + 1) else { return nil }
    return high << 8 | low
  }

  func little32(_ at: Int) -> Int? {
    guard let low = little16(at), let high = little16(at + 2) else { return nil }
    return high << 16 | low
  }

  func text(_ at: Int, _ count: Int) -> String? {
    var scalars = ""
    for offset in 0..<count {
      guard let byte = byte(at + offset) else { return nil }
      scalars.unicodeScalars.append(Unicode.Scalar(UInt8(byte)))
    }
    return scalars
  }
}
