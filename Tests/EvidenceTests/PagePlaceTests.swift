// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Evidence

@Suite("Evidence: where a part of the page lies in the picture", .storeless)
struct PagePlaceTests {
  @Test("the map onto a quad and the map back are one another's inverse, for any convex quad")
  func inverse() throws {
    var random = SeededGenerator(seed: 28)
    func share() -> Double { Double.random(in: 0...1, using: &random) }
    for _ in 0..<500 {
      // Corners in the four quarters of the picture, so that the quad is convex enough to be a photographed page.
      let quad = Quad(corners: [
        (share() * 300, share() * 200), (700 + share() * 300, share() * 200),
        (700 + share() * 300, 500 + share() * 200), (share() * 300, 500 + share() * 200),
      ])
      let (across, down) = (share(), share())
      let point = try #require(quad.point(across: across, down: down))
      let place = try #require(quad.place(of: point))
      #expect(abs(place.across - across) < 1e-6 && abs(place.down - down) < 1e-6)
    }
  }

  @Test("the corners of the whole page are those of its outline, however it was turned; else none is known")
  func corners() throws {
    let page = DocumentReading.PageInfo(
      width: 1600, height: 1000, outlined: true, corners: [900, 50, 950, 800, 100, 820, 80, 40])
    let whole = try #require(page.place(of: Region(x: 0, y: 0, width: 1600, height: 1000)))
    #expect(whole.map { [$0.x.rounded(), $0.y.rounded()] } == [[900, 50], [950, 800], [100, 820], [80, 40]])
    let unknown = DocumentReading.PageInfo(width: 1600, height: 1000, outlined: false, corners: [])
    #expect(unknown.place(of: Region(x: 0, y: 0, width: 10, height: 10)) == nil)
    let flat = DocumentReading.PageInfo(
      width: 1600, height: 1000, outlined: true, corners: Array(repeating: 7, count: 8))
    #expect(flat.place(of: Region(x: 0, y: 0, width: 10, height: 10)) == nil)
  }
}
