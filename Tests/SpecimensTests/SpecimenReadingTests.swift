// SPDX-License-Identifier: Apache-2.0

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

  @Test(
    "a PNG has the colours that were drawn, as RGB when it is opaque and else with alpha", arguments: [true, false])
  func colours(isOpaque: Bool) throws {
    let canvas = try Canvas(width: 8, height: 4)
    for (place, colour) in [Colour(1, 0, 0), Colour(0, 1, 0), Colour(0, 0, 1)].enumerated() {
      canvas.rectangle(Double(place * 2), 0, 2, 4).fill(colour)
    }
    if isOpaque { canvas.rectangle(6, 0, 2, 4).fill(Colour(1, 1, 1)) }
    let picture = try canvas.encoded(as: .png)
    // The colour type (PNG, third edition §11.2.1): 2 is RGB, 6 is RGB with alpha.
    #expect(picture.data[picture.data.startIndex + 25] == (isOpaque ? 2 : 6))
    var (luma, chroma) = ([UInt8](repeating: 0, count: 8 * 4), [UInt8](repeating: 0, count: 8 * 4))
    try withFrame(picture) { try #require(cvision_planes($0, &luma, &chroma) == CVISION_OK) }
    // Red, green and blue in the luma of ITU-R BT.601; the first row and the last.
    for row in [0, 3] {
      for (place, expected) in [76, 150, 29].enumerated() {
        #expect(abs(Int(luma[row * 8 + place * 2]) - expected) <= 1)
      }
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
      var (quad, rows) = (cvision_quad(), 10_000)
      try #require(cvision_read_pdf417(frame, &rows, &bytes, &quad) == CVISION_OK)
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
