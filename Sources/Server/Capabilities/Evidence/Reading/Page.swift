// SPDX-License-Identifier: Apache-2.0

import CVision

/// The document, cut out of the frame and straightened; or the whole frame when no outline was found.
struct Page {
  var frame: Frame
  /// Where it lies in the frame, clockwise from the page's own top left; nil for the whole frame.
  var outline: Quad?

  /// Pages are read at this width: about 13 pixels per millimetre of a passport.
  static let width = 1600

  /// How the outline lies in the frame, and how much opposite edges differ.
  static func crop(_ outline: Quad?, in frame: Frame) -> (crop: ImageQuality.Crop, tilt: Double?) {
    guard let outline else { return (.unknown, nil) }
    let edges = (0..<4).map { outline.edge($0) }
    func difference(_ a: Double, _ b: Double) -> Double { abs(a - b) / max(1, max(a, b)) }
    let tilt = max(difference(edges[0], edges[2]), difference(edges[1], edges[3]))
    let marginX = Double(frame.width) * 0.002, marginY = Double(frame.height) * 0.002
    let touching = outline.corners.contains { corner in
      corner.x < marginX || corner.y < marginY || corner.x > Double(frame.width) - marginX
        || corner.y > Double(frame.height) - marginY
    }
    return (touching ? .cropped : .ok, (tilt * 1000).rounded() / 1000)
  }

  /// Whether a document of a kind may have the outline's shape (ISO/IEC 7810): passports are ID-3, cards mostly ID-1.
  func mayBe(_ kind: DocumentKind) -> Bool {
    guard outline != nil, kind == .passport else { return true }
    return Self.shape(Double(frame.width) / Double(max(1, frame.height))) == Self.large
  }

  /// Captions are much the same on passports and on cards: of templates that fit equally well the first is taken. A
  /// page without a zone is hardly a passport's: each has one along its lower edge (Doc 9303-4 §4).
  /// - Parameter expected: what the page should be; nil where that was not said.
  func likeliestFirst(
    _ templates: [VisualTemplate], expected: DocumentKind? = nil, hasZone: Bool = true
  ) -> [VisualTemplate] {
    func rank(_ kind: DocumentKind) -> Int {
      if !mayBe(kind) { return 3 }
      if kind == expected { return 0 }
      return kind == .passport && !hasZone ? 2 : 1
    }
    let ranks = templates.map { rank($0.kind) }
    return (0...3).flatMap { wanted in zip(templates, ranks).filter { $0.1 == wanted }.map(\.0) }
  }

  private static let small = 1.586, large = 1.42

  /// The nearer of the aspects of ID-1 and of ID-2 and ID-3.
  private static func shape(_ aspect: Double) -> Double {
    abs(aspect - small) < abs(aspect - large) ? small : large
  }

  /// Looks for the outline of an ID-1, ID-2 or ID-3 document.
  static func outline(in frame: Frame) throws -> Quad? {
    var quad = cvision_quad()
    var share: Float = 0
    let status = cvision_find_document(frame.handle, &quad, &share)
    if status == CVISION_NOT_FOUND { return nil }
    try CVisionFailure.check(status)
    let found = Quad(quad)
    // The long edge is the document's top or bottom.
    return found.edge(0) + found.edge(2) >= found.edge(1) + found.edge(3) ? found : found.turned(1)
  }

  /// The page inside an outline.
  /// - Parameter aspect: its width in heights, where that is known; nil for the nearer of the two aspects of ID-1 and
  ///   ID-2/ID-3 (ISO/IEC 7810). A page that leans back looks lower than it is.
  static func cut(_ outline: Quad, from frame: Frame, aspect: Double? = nil) throws -> Page {
    let across = (outline.edge(0) + outline.edge(2)) / 2, down = max(1, (outline.edge(1) + outline.edge(3)) / 2)
    let height = Int((Double(width) / shape(aspect ?? across / down)).rounded())
    return Page(frame: try frame.rectified(outline, width: width, height: height), outline: outline)
  }

  /// The whole frame at working size.
  static func whole(_ frame: Frame) throws -> Page {
    let usual = min(frame.width, frame.width >= frame.height ? width : 1200)
    return Page(frame: try frame.scaled(toWidth: frame.width(usual, most: pixelsMax)), outline: nil)
  }

  /// Of a whole frame: more than a telephone's picture has at working size, whose sides are as 9 and 21.
  static let pixelsMax = 3_500_000

  /// Where a part of the frame that the page was cut from lies on the page.
  func region(of part: Region, in whole: Frame) -> Region {
    let share = Double(frame.width) / Double(max(1, whole.width))
    guard let outline else { return part.scaled(by: share) }
    let (right, bottom) = (part.x + part.width, part.y + part.height)
    let places = [(part.x, part.y), (right, part.y), (right, bottom), (part.x, bottom)]
      .compactMap { outline.place(of: (Double($0.0), Double($0.1))) }
    guard places.count == 4 else { return part.scaled(by: share) }
    let corners = places.map { (x: $0.across * Double(frame.width), y: $0.down * Double(frame.height)) }
    return Quad(corners: corners).region
  }

  /// Whether the middle of a part of the frame that the page was cut from lies on the page.
  func holds(_ part: Quad) -> Bool {
    guard let outline else { return true }
    let region = part.region
    let middle = (x: Double(region.x) + Double(region.width) / 2, y: Double(region.y) + Double(region.height) / 2)
    guard let place = outline.place(of: middle) else { return false }
    return (0...1).contains(place.across) && (0...1).contains(place.down)
  }

  func turned(_ quarters: Int) throws -> Page {
    guard quarters % 4 != 0 else { return self }
    return Page(frame: try frame.rotated(quarters: quarters), outline: outline?.turned(quarters))
  }
}
