// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Console

extension Chromium {
  /// Where screens are kept to be looked at; nil keeps none.
  private static let shots = ProcessInfo.processInfo.environment["GATEHOUSE_SCREENS"]

  /// Expects that no page is wider than the window, empty, or lacks a picture.
  /// - Parameter prefix: what the names of kept screens begin with.
  static func expectFitting(
    _ pages: [(name: String, html: String)], widths: [Int], named prefix: String, in folder: TestFolder
  ) throws {
    // A page in a file has no server to load its style from.
    let link = "<link rel=\"stylesheet\" href=\"\(Asset.stylesheet.path)\">"
    let style = "<style>\(String(decoding: Asset.stylesheet.bytes, as: UTF8.self))</style>"
    let pages = pages.map { (name: $0.name, html: $0.html.replacing(link, with: style)) }
    #expect(pages.allSatisfy { $0.html.contains(style) })
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
