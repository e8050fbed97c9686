// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Grey pictures of documents as they may lie before a camera.
package struct Scene: Sendable {
  let width: Int
  let height: Int
  let luma: [UInt8]

  package init(width: Int, height: Int, luma: [UInt8]) { (self.width, self.height, self.luma) = (width, height, luma) }

  package var raw: RawPicture {
    var bgr: [UInt8] = []
    bgr.reserveCapacity(luma.count * 3)
    for value in luma {
      bgr.append(value)
      bgr.append(value)
      bgr.append(value)
    }
    return RawPicture(width: width, height: height, bgr: bgr)
  }

  /// Turned clockwise, on a table of one grey, wholly in the picture.
  package func turned(by degrees: Double, ground: UInt8 = 90) -> Scene {
    let angle = degrees * .pi / 180, (across, down) = (cos(angle), sin(angle))
    let wide = Int(Double(width) * abs(across) + Double(height) * abs(down))
    let high = Int(Double(width) * abs(down) + Double(height) * abs(across))
    return drawn(wide, high) { x, y in
      let (dx, dy) = (x - Double(wide) / 2, y - Double(high) / 2)
      let u = dx * across + dy * down + Double(self.width) / 2, v = dy * across - dx * down + Double(self.height) / 2
      return self.value(u, v) ?? Double(ground)
    }
  }

  /// As the right page of an open booklet. Towards the spine both pages bend away and lie in shadow.
  ///
  /// - Parameter bow: how much closer the columns stand at the spine: 0 for a page that lies flat.
  package func inBooklet(bow: Double) -> Scene {
    let (page, margin) = (Double(width), 40.0), bend = page * 0.15, rise = page * 0.05 * bow
    return drawn(2 * width + 80, height + 80) { x, y in
      let off = x - margin - page, distance = abs(off), near = exp(-distance / bend)
      let u = distance + bow * bend * (1 - near), v = y - margin - rise * near
      guard u < page, v >= 0, v < Double(self.height) else { return 60 }
      // The left page carries lines that are no print.
      let isLine = Int(v) % 60 < 3 && u > 60 && u < page - 60
      let paper = off >= 0 ? self.value(u, v) ?? 60 : isLine ? 150 : 225
      return paper * (1 - 0.45 * exp(-distance / (page * 0.04)))
    }
  }

  /// On a cloth of even dark marks, so many pixels apart.
  package func onCloth(step: Int) -> Scene {
    let margin = 100
    return drawn(width + 2 * margin, height + 2 * margin) { x, y in
      let isMark = Int(x) % step < step / 2 && Int(y) % step < step / 2
      return self.value(x - Double(margin), y - Double(margin)) ?? (isMark ? 60 : 190)
    }
  }

  /// Specks of all greys.
  package static func noise(_ width: Int, _ height: Int, seed: UInt64) -> Scene {
    var state = seed
    let luma = (0..<width * height).map { _ -> UInt8 in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    return Scene(width: width, height: height, luma: luma)
  }

  /// Dark blocks at even steps all over: every row of them looks like one of glyphs.
  package static func lattice(_ width: Int, _ height: Int, step: Int) -> Scene {
    var luma = [UInt8](repeating: 255, count: width * height)
    for y in 0..<height where y % step < step * 6 / 10 {
      for x in 0..<width where x % step < step / 2 { luma[y * width + x] = 0 }
    }
    return Scene(width: width, height: height, luma: luma)
  }

  private func drawn(_ wide: Int, _ high: Int, _ value: (Double, Double) -> Double) -> Scene {
    var luma: [UInt8] = []
    luma.reserveCapacity(wide * high)
    for y in 0..<high {
      for x in 0..<wide { luma.append(UInt8(max(0, min(255, value(Double(x), Double(y)))))) }
    }
    return Scene(width: wide, height: high, luma: luma)
  }

  /// Between the four pixels around a place; nil outside.
  private func value(_ x: Double, _ y: Double) -> Double? {
    guard x >= 0, y >= 0, x < Double(width - 1), y < Double(height - 1) else { return nil }
    let (left, top) = (Int(x), Int(y)), (dx, dy) = (x - Double(left), y - Double(top)), at = top * width + left
    let upper = Double(luma[at]) * (1 - dx) + Double(luma[at + 1]) * dx
    let lower = Double(luma[at + width]) * (1 - dx) + Double(luma[at + width + 1]) * dx
    return upper * (1 - dy) + lower * dy
  }
}
