import Foundation

/// What the first bytes of a file say of its picture, read without decoding any of it.
struct ImageHeader: Equatable {
  var width: Int
  var height: Int
  /// EXIF 2.32 tag 0x0112, 1…8; 1 when absent.
  var orientation = 1

  /// - Returns: nil when the header is cut off or makes no sense.
  init?(_ bytes: Data, format: ImageFormat) {
    let reader = ByteReader(bytes)
    switch format {
    case .png: self.init(png: reader)
    case .jpeg: self.init(jpeg: reader)
    }
  }

  /// PNG (ISO/IEC 15948) §11.2.2: IHDR is the first chunk. §11.3.4.5 (eXIf) may stand anywhere before IEND.
  private init?(png reader: ByteReader) {
    guard reader.big32(8) == 13, reader.text(12, 4) == "IHDR",
      let width = reader.big32(16), let height = reader.big32(20), width > 0, height > 0
    else { return nil }
    self.width = width
    self.height = height
    var at = 8
    let chunksMax = 10_000
    for _ in 0..<chunksMax {
      guard let length = reader.big32(at), let name = reader.text(at + 4, 4) else { return }
      if name == "eXIf" { orientation = Self.orientation(tiff: reader, at: at + 8, count: length) ?? 1 }
      if name == "IEND" || name == "IDAT" { return }
      at += length + 12
    }
  }

  /// JPEG (ITU-T T.81) annex B: segments up to the first scan, among them one frame header, which may be any SOF but
  /// DHT, JPG and DAC. What decoders skip in ways of their own, such as a stuffed byte outside of a scan, is refused.
  private init?(jpeg reader: ByteReader) {
    var at = 2
    var found: (width: Int, height: Int)?
    let segmentsMax = 2_000
    for _ in 0..<segmentsMax {
      while reader.byte(at) == 0xFF, reader.byte(at + 1) == 0xFF { at += 1 }
      guard reader.byte(at) == 0xFF, let marker = reader.byte(at + 1) else { return nil }
      // B.1.1.3: these have no length.
      if marker == 0x01 || (0xD0...0xD7).contains(marker) {
        at += 2
        continue
      }
      // FF 00 is no marker, and there is one start of the image.
      if marker == 0x00 || marker == 0xD8 { return nil }
      guard let length = reader.big16(at + 2), length >= 2 else { return nil }
      switch marker {
      case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
        guard found == nil, let height = reader.big16(at + 5), let width = reader.big16(at + 7), width > 0, height > 0
        else { return nil }
        found = (width, height)
      case 0xE1 where reader.text(at + 4, 4) == "Exif":
        orientation = Self.orientation(tiff: reader, at: at + 10, count: length - 8) ?? 1
      case 0xDA:
        // EXIF stands before the first scan, and so does the frame header.
        guard let found else { return nil }
        (width, height) = found
        return
      case 0xD9:
        return nil
      default: break
      }
      at += length + 2
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
  private let bytes: Data

  init(_ bytes: Data) { self.bytes = bytes }

  func byte(_ at: Int) -> Int? {
    at >= 0 && at < bytes.count ? Int(bytes[bytes.startIndex + at]) : nil
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
