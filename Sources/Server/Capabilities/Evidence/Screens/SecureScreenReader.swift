import CVision
import OneAssistCore

/// Reads the code from a photo of a phone that shows the secure screen (oneassist §7.4).
///
/// The lit screen is found and straightened first; then its numbers are read as those of a screenshot are.
struct SecureScreenReader {
  let text: TextReader

  /// Pixels to which a screen is straightened: digits are some fifty pixels high then; and for another look.
  private static let widths = [620, 860]
  /// Digits from which on a number is looked at, and up to which it can be a code; misreadings lose or gain some.
  private static let (digitsMin, digitsMax) = (9, 13)
  /// Places in the photo that are tried.
  private static let placesMax = 4

  /// - Returns: eleven digits whose check digit is right; nil when none can be read for certain.
  func read(_ frame: Frame) throws -> String? {
    var screens = cvision_screens()
    try CVisionFailure.check(cvision_find_screens(frame.handle, &screens))
    let count = Int(screens.count)
    let quads = withUnsafeBytes(of: screens.quads) { raw in
      raw.bindMemory(to: cvision_quad.self).prefix(count).map { Quad($0) }
    }
    for width in Self.widths {
      for quad in quads.prefix(Self.placesMax) {
        for upright in Self.turns(of: quad) {
          if let code = try code(in: straightened(upright, frame, width: width)) { return code }
        }
      }
      // A photo of nothing but the screen has no outline.
      if let code = try code(in: frame.scaled(toWidth: width)) { return code }
    }
    return nil
  }

  /// A screen is higher than it is wide; one that lies may have its top on either side.
  private static func turns(of quad: Quad) -> [Quad] {
    let isLying = quad.edge(0) + quad.edge(2) > quad.edge(1) + quad.edge(3)
    return isLying ? [quad.turned(1), quad.turned(3)] : [quad]
  }

  private func straightened(_ quad: Quad, _ frame: Frame, width: Int) throws -> Frame {
    let across = max(1, (quad.edge(0) + quad.edge(2)) / 2), down = (quad.edge(1) + quad.edge(3)) / 2
    return try frame.rectified(
      quad, width: width, height: max(16, min(4000, Int(Double(width) * down / across))))
  }

  private func code(in screen: Frame) throws -> String? {
    let page = try screen.print()
    guard try page.isPrint() else { return nil }
    let reader = NumberReader(text: text, source: screen, page: page) { SecureScreenCode.isWellFormed($0) }
    var found: Set<String> = []
    for line in ScreenLine.lines(of: try text.symbols(in: page, layout: .sparse)) {
      for number in line.numbers(atLeast: Self.digitsMin) where number.count <= Self.digitsMax {
        guard let code = try reader.read(number) else { continue }
        found.insert(code)
      }
    }
    return found.count == 1 ? found.first : nil
  }
}
