import CVision
import DocumentCore
import Foundation
import Testing

@testable import Specimens

/// Specimens are of use only if others can read them: these readers are OpenCV's and ZXing's, not ours.
@Suite("Specimens: read by others")
struct SpecimenReadingTests {
  static let cascade = "/usr/share/opencv4/haarcascades/haarcascade_frontalface_default.xml"
  /// Debian's opencv-data; without it there is nothing to ask.
  static let hasCascade = FileManager.default.isReadableFile(atPath: cascade)

  @Test("ZXing reads the barcode back, byte for byte, from the scan")
  func barcode() throws {
    for seed in UInt64(1)...3 {
      let drawn = try Specimen.draw(.drivingLicence, seed: seed, reference: reference)
      let back = try #require(drawn.images.first { $0.side == .back })
      #expect(try payload(in: back.picture) == Array(try #require(drawn.truth.barcode).utf8))
    }
  }

  @Test("a frontal face detector finds one face on each side that has a portrait", .enabled(if: hasCascade))
  func portraits() throws {
    for seed in UInt64(1)...4 {
      for kind in SpecimenKind.allCases {
        let drawn = try Specimen.draw(kind, seed: seed, reference: reference)
        for (image, side) in zip(drawn.images, drawn.truth.sides) where side.portrait != nil {
          #expect(try faces(in: image.picture) == 1, "\(kind.rawValue), seed \(seed)")
        }
      }
    }
  }

  @Test("a frontal face detector finds one face on a selfie", .enabled(if: hasCascade))
  func selfies() throws {
    for seed in UInt64(1)...8 {
      let holder = Holder.random(seed: seed, reference: reference)
      #expect(try faces(in: Selfie.draw(of: holder, seed: seed, reference: reference)) == 1, "seed \(seed)")
    }
  }

  private func faces(in picture: Picture) throws -> Int32 {
    try withFrame(picture) { frame in
      var cascade: OpaquePointer?
      try #require(cvision_cascade_load(Self.cascade, nil, &cascade) == CVISION_OK)
      defer { cvision_cascade_free(cascade) }
      var found = cvision_faces()
      let status = cvision_cascade_detect(cascade, frame, &found)
      return status == CVISION_OK ? found.count : 0
    }
  }

  private func payload(in picture: Picture) throws -> [UInt8] {
    try withFrame(picture) { frame in
      var bytes = cvision_bytes()
      var quad = cvision_quad()
      try #require(cvision_read_pdf417(frame, &bytes, &quad) == CVISION_OK)
      defer { cvision_bytes_free(&bytes) }
      return Array(UnsafeBufferPointer(start: bytes.data, count: bytes.count))
    }
  }

  private func withFrame<T>(_ picture: Picture, _ body: (OpaquePointer) throws -> T) throws -> T {
    var frame: OpaquePointer?
    let bytes = Array(picture.data)
    let decode = picture.format == .png ? cvision_decode_png : cvision_decode_jpeg
    var header = picture.header
    let status = decode(bytes, bytes.count, &header, 1, &frame)
    try #require(status == CVISION_OK)
    defer { cvision_frame_free(frame) }
    return try body(#require(frame))
  }
}

extension Picture {
  /// What its file says: a JPEG has one scan in three components, a PNG its colour type in the 26th byte.
  var header: cvision_header {
    let hasAlpha = format == .png && data[data.startIndex + 25] == 6
    return cvision_header(
      width: Int32(width), height: Int32(height), components: hasAlpha ? 4 : 3, depth: 8, scans: 1)
  }
}
