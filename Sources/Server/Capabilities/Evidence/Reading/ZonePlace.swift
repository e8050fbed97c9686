// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// Where a zone lies shows where its page lies: all documents of Doc 9303 carry it along their lower edge, at the same
/// pitch of ten characters an inch (Doc 9303-3 §4), and so it says how large they are in the picture.
struct ZonePlace {
  /// The zone's corners in the frame, from its own top left on.
  let zone: Quad
  let columns: Int
  let rows: Int

  private static let pitchMillimetres = 2.54
  /// From the zone's lower corners, 0.9 pitches below the middle of the last line, to the lower edge.
  private static let belowMillimetres = 6.5

  /// The document's size in millimetres: ID-1, ID-2 and ID-3 (ISO/IEC 7810). A visa is read like a page of that size.
  private var size: (width: Double, height: Double) {
    switch (rows, columns) {
    case (3, _): (85.6, 53.98)
    case (_, 36): (105, 74)
    default: (125, 88)
    }
  }

  /// The document's width in heights.
  var aspect: Double { size.width / size.height }

  private var length: Double { (zone.edge(0) + zone.edge(2)) / 2 }
  /// Pixels. The corners enclose 0.6 pitches more than the characters.
  private var millimetre: Double { length / ((Double(columns) + 0.6) * Self.pitchMillimetres) }

  /// The page as the zone alone shows it, seen straight from above.
  var page: Quad {
    let along = zone.direction
    let down = (x: -along.y, y: along.x)
    let low = (x: (zone.corners[2].x + zone.corners[3].x) / 2, y: (zone.corners[2].y + zone.corners[3].y) / 2)
    func corner(_ across: Double, _ below: Double) -> (x: Double, y: Double) {
      (
        x: low.x + (along.x * across + down.x * below) * millimetre,
        y: low.y + (along.y * across + down.y * below) * millimetre
      )
    }
    let side = size.width / 2, bottom = Self.belowMillimetres, top = bottom - size.height
    var quad = zone
    quad.corners = [corner(-side, top), corner(side, top), corner(side, bottom), corner(-side, bottom)]
    return quad
  }

  /// The outline, turned so that the zone runs along it from left to right, when it can be that of the zone's page: the
  /// outline of an open booklet and of a book beneath the document is not.
  func fitting(_ outline: Quad) -> Quad? {
    let along = zone.direction
    let candidates = (0..<4).map { outline.turned($0) }
    func likeness(_ quad: Quad) -> Double { quad.direction.x * along.x + quad.direction.y * along.y }
    guard let turned = candidates.max(by: { likeness($0) < likeness($1) }), likeness(turned) > 0.95 else { return nil }
    let across = (turned.edge(0) + turned.edge(2)) / 2, down = max(1, (turned.edge(1) + turned.edge(3)) / 2)
    guard (0.78...1.03).contains(length / max(1, across)), (1.15...1.9).contains(across / down) else { return nil }
    // Its lower edge is near, as the zone's own page would have it.
    let expected = page
    let near = across * 0.14
    let fits = (2..<4).allSatisfy { index in
      let (a, b) = (turned.corners[index], expected.corners[index])
      return abs(a.x - b.x) < near && abs(a.y - b.y) < near
    }
    return fits ? turned : nil
  }

  /// Whether the page is about all that the frame shows: a scan cut to the document.
  func fills(_ frame: Frame) -> Bool {
    let size = size
    let area = size.width * size.height * millimetre * millimetre
    return area > Double(frame.width * frame.height) * 0.72
  }
}

extension Quad {
  /// The corners of a whole frame.
  init(of frame: Frame) {
    let (right, bottom) = (Double(frame.width - 1), Double(frame.height - 1))
    self.init(corners: [(0, 0), (right, 0), (right, bottom), (0, bottom)])
  }

  /// From the left to the right side, of length 1.
  var direction: (x: Double, y: Double) {
    let x = corners[1].x - corners[0].x + corners[2].x - corners[3].x
    let y = corners[1].y - corners[0].y + corners[2].y - corners[3].y
    let length = max(1e-9, (x * x + y * y).squareRoot())
    return (x / length, y / length)
  }

  /// Quarter-turns clockwise, 0…3, that its direction is nearest to.
  var quarters: Int {
    let along = direction
    if abs(along.x) >= abs(along.y) { return along.x >= 0 ? 0 : 2 }
    return along.y >= 0 ? 1 : 3
  }

  func isInside(_ frame: Frame) -> Bool {
    corners.allSatisfy { corner in
      corner.x >= 0 && corner.y >= 0 && corner.x <= Double(frame.width - 1) && corner.y <= Double(frame.height - 1)
    }
  }
}
