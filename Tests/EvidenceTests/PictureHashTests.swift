// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Specimens
import TestSupport
import Testing

@testable import Evidence

@Suite("Evidence: what a picture looks like", .storeless)
struct PictureHashTests {
  @Test("a photograph that was made smaller and encoded anew is taken for itself, and no other holder's is")
  func anew() throws {
    let day = try #require(CalendarDate(year: 2026, month: 1, day: 1))
    let pictures = try (1...2).map { seed in
      let drawn = try Specimen.draw(
        .passport, seed: UInt64(110 + seed), reference: day,
        degrade: Degradation.list("perspective:0.3,blur:0.2,noise:0.2"))
      return try Frame.open(#require(drawn.images.first).picture.data, limits: ImageLimits()).frame
    }
    let hashes = try pictures.map { try PictureHash(of: $0) }
    for (place, picture) in pictures.enumerated() {
      let smaller = try picture.scaled(toWidth: picture.width * 7 / 10).jpeg(quality: 40)
      let anew = try EvidenceImage(taking: smaller).likeness
      for (other, hash) in hashes.enumerated() {
        #expect((hash.shared(with: anew) >= PictureHash.partsShared) == (place == other))
      }
    }
  }

  @Test("a picture without any contrast and one of a single pixel have a hash, too")
  func empty() {
    for (width, height) in [(128, 80), (1, 1)] {
      let plane = LumaPlane(width: width, height: height, luma: .init(repeating: 128, count: width * height))
      #expect(PictureHash(plane).parts.count == PictureHash.partsCount)
    }
  }

  @Test(
    "a picture of any size has the hash that the transform's formula gives, on which stored digests depend",
    arguments: [(128, 3), (41, 29), (33, 1), (1, 33), (7, 5)])
  func formula(width: Int, height: Int) {
    var random = SeededGenerator(seed: UInt64(width * 1000 + height))
    let luma = (0..<width * height).map { _ in UInt8.random(in: 0...255, using: &random) }
    func wave(_ number: Int, _ pixel: Int, of count: Int) -> Double {
      cos((Double(pixel) + 0.5) * Double(number) * Double.pi / Double(count))
    }
    let waves = 1...16
    let sums = waves.flatMap { down in
      waves.map { across in
        (0..<height).reduce(0.0) { sum, y in
          let row = (0..<width).reduce(0.0) { $0 + Double(luma[y * width + $1]) * wave(across, $1, of: width) }
          return sum + row * wave(down, y, of: height)
        }
      }
    }
    let median = sums.sorted()[sums.count / 2]
    let parts = (0..<PictureHash.partsCount).map { part in
      (0..<32).reduce(UInt32(0)) { $0 | (sums[part * 32 + $1] > median ? 1 << UInt32($1) : 0) }
    }
    #expect(PictureHash(LumaPlane(width: width, height: height, luma: luma)).parts == parts)
  }
}
