import Foundation
import TestSupport
import Testing

extension Chromium {
  /// Where screens are kept to be looked at; nil keeps none.
  private static let shots = ProcessInfo.processInfo.environment["GATEHOUSE_SCREENS"]

  /// Expects that no page is wider than the window, empty, or lacks a picture.
  /// - Parameter prefix: what the names of kept screens begin with.
  static func expectFitting(
    _ pages: [(name: String, html: String)], widths: [Int], named prefix: String, in folder: TestFolder
  ) throws {
    let layouts = try layouts(pages.map(\.html), widths: widths, in: folder)
    #expect(layouts.count == widths.count * pages.count)
    for layout in layouts {
      let name = "\(pages[layout.page].name) at \(layout.width)"
      #expect(layout.scrollWidth <= layout.width, "\(name) needs \(layout.scrollWidth)")
      #expect(layout.height > 150 && layout.text > 60 && layout.broken == 0, "\(name)")
    }
    guard let shots else { return }
    for (name, html) in pages {
      let file = folder.file("page.html")
      try Data(html.utf8).write(to: URL(fileURLWithPath: file))
      let screen = try screenshot("file://\(file)", width: 390, height: 1100, in: folder)
      try screen.write(to: URL(fileURLWithPath: "\(shots)/\(prefix)\(name).png"))
    }
  }
}
