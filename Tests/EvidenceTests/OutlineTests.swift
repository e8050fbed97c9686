// SPDX-License-Identifier: Apache-2.0

import Foundation
import PictureScenes
import Testing

@testable import Evidence

/// Cards on tables that are no even ground, where the hull of what differs from the border is larger than the card.
@Suite("Evidence: the outline of a card among other things", .storeless)
struct OutlineTests {
  /// A card of ID-1's shape with a portrait and rows of print, turned about the middle of a picture.
  private struct Table {
    static let (wide, high) = (1000, 760)
    static let card = (width: 560.0, height: 353.0)

    var degrees: Double
    var paper: (UInt8, UInt8, UInt8) = (225, 215, 235)
    var ground: (Int, Int) -> (UInt8, UInt8, UInt8)

    private var axes: (cos: Double, sin: Double) { (cos(degrees * .pi / 180), sin(degrees * .pi / 180)) }

    var corners: [(x: Double, y: Double)] {
      [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { across, down in
        let (u, v) = (across * Self.card.width / 2, down * Self.card.height / 2)
        let (dx, dy) = (u * axes.cos - v * axes.sin, u * axes.sin + v * axes.cos)
        return (Double(Self.wide) / 2 + dx, Double(Self.high) / 2 + dy)
      }
    }

    func frame() throws -> Frame {
      var bgr: [UInt8] = []
      bgr.reserveCapacity(Self.wide * Self.high * 3)
      for y in 0..<Self.high {
        for x in 0..<Self.wide {
          let (dx, dy) = (Double(x) - Double(Self.wide) / 2, Double(y) - Double(Self.high) / 2)
          let u = dx * axes.cos + dy * axes.sin + Self.card.width / 2
          let v = dy * axes.cos - dx * axes.sin + Self.card.height / 2
          let isCard = u >= 0 && v >= 0 && u < Self.card.width && v < Self.card.height
          let colour = isCard ? print(Int(u), Int(v)) : ground(x, y)
          bgr += [colour.0, colour.1, colour.2]
        }
      }
      return try Pictures.frame(.init(width: Self.wide, height: Self.high, bgr: bgr))
    }

    private func print(_ u: Int, _ v: Int) -> (UInt8, UInt8, UInt8) {
      if (30..<170).contains(u), (90..<260).contains(v) { return (120, 110, 100) }
      let isRow = u > 200 && u < 430 && v > 60 && v % 40 < 16 && v < 300
      return isRow && (u / 6) % 2 == 0 ? (60, 40, 40) : paper
    }
  }

  /// Whether the outline's corners are the card's, from whichever it starts.
  private func isFound(_ table: Table) throws -> Bool {
    guard let outline = try Page.outline(in: table.frame()) else { return false }
    return (0..<4).contains { turn in
      zip(table.corners, outline.turned(turn).corners).allSatisfy { hypot($0.x - $1.x, $0.y - $1.y) < 8 }
    }
  }

  @Test("a card on chequered cloth", arguments: [0.0, 7, -11, 97, 200])
  func chequered(degrees: Double) throws {
    #expect(
      try isFound(Table(degrees: degrees) { x, y in (x / 95 + y / 95) % 2 == 0 ? (90, 150, 60) : (120, 190, 110) }))
  }

  @Test("a card that lies on sheets of paper", arguments: [4.0, -8, 95])
  func onSheets(degrees: Double) throws {
    #expect(
      try isFound(
        Table(degrees: degrees) { x, y in
          let isSheet = x + y / 2 > 800 && x + y / 2 < 1050 || y > 600 && x < 420
          return isSheet ? (250, 250, 250) : (60, 60, 110)
        }))
  }

  @Test("a pale card on pale paper, whose portrait has a frame of a card's shape")
  func pale() throws {
    #expect(try isFound(Table(degrees: 1, paper: (236, 236, 228)) { _, _ in (250, 250, 250) }))
  }
}
