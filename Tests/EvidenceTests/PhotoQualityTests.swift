// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import Testing

@Suite("Evidence: photos of any thing")
struct PhotoQualityTests {
  private func plane(_ pixel: (Int, Int) -> Int) -> LumaPlane {
    LumaPlane(width: 1000, height: 750, luma: (0..<750).flatMap { y in (0..<1000).map { x in UInt8(pixel(x, y)) } })
  }

  @Test("a picture of one colour is blank; one with something on it is not")
  func blank() {
    for luma in [0, 128, 255] { #expect(PhotoQuality(plane { _, _ in luma }).isBlank) }
    let noisy = PhotoQuality(plane { x, y in 128 + (x &* 31 &+ y &* 17) % 5 })
    #expect(noisy.isBlank)
    #expect(!PhotoQuality(plane { x, y in (300...700).contains(x) && (200...500).contains(y) ? 220 : 40 }).isBlank)
  }

  @Test("an edge that is sharp anywhere is enough; edges that run over many pixels are blurred")
  func blurred() {
    func edges(width: Int) -> PhotoQuality {
      PhotoQuality(
        plane { x, _ in
          let place = x % 200
          return place < 100 ? min(230, 30 + place * 200 / width) : max(30, 230 - (place - 100) * 200 / width)
        })
    }
    #expect(!edges(width: 1).isBlurred)
    #expect(edges(width: 60).isBlurred)
    let corner = PhotoQuality(plane { x, y in x < 250 && y < 180 ? (x / 10 + y / 10) % 2 * 200 : 100 })
    #expect(!corner.isBlurred && !corner.isBlank)
  }
}
