// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Console

/// The rules of axe-core, which the package axe-playwright-python of PyPI carries.
enum Axe {
  static let missing = "axe-playwright-python is missing: scripts/bootstrap installs it"
  /// Where the script is; nil when the package is not installed.
  static let script: String? = {
    let (process, output) = (ChildProcess(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      "import importlib.util as u, os; print(os.path.dirname(u.find_spec('axe_playwright_python').origin))",
    ]
    (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
    guard (try? process.run()) != nil else { return nil }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let folder = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    return FileManager.default.fileExists(atPath: "\(folder)/axe.min.js") ? "\(folder)/axe.min.js" : nil
  }()

  /// Rules of those in which axe looks at colours. The dark changes nothing else, which `ConsoleDesignTests` holds.
  private static let ofColours = #"{ type: "rule", values: ["color-contrast", "link-in-text-block"] }"#
  private static let all = #"["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]"#

  /// Expects that no page breaks a rule of WCAG 2.2 AA or of good practice, in the light and in the dark.
  ///
  /// One document takes the place of another in a tab that has the rules, which costs half of loading each page twice.
  /// Of what breaks no rule, axe is to work out no more than one place each.
  static func expectNone(
    _ pages: [(name: String, html: String)], by tab: ChromiumTab? = nil, in folder: TestFolder
  ) throws {
    let script = try #require(script)
    let tab = try tab ?? ChromiumTab(width: 800, height: 1000, in: folder)
    let empty = folder.file("axe-\(UUID().uuidString).html")
    try Data("<!doctype html><script src=\"file://\(script)\"></script>".utf8).write(to: URL(fileURLWithPath: empty))
    try tab.open("file://\(empty)")
    let link = "<link rel=\"stylesheet\" href=\"\(Asset.stylesheet.path)\">"
    // A page in a file has no server to load its style from. Scripts of its own do not run.
    let style = "<style>\(String(decoding: Asset.stylesheet.bytes, as: UTF8.self))</style>"
    for (name, html) in pages {
      #expect(html.contains(link), "\(name)")
      let text = String(decoding: try JSONEncoder().encode(html.replacing(link, with: style)), as: UTF8.self)
      let shown = try tab.evaluate(
        """
        (() => {
          const page = new DOMParser().parseFromString(\(text), "text/html");
          document.replaceChild(document.adoptNode(page.documentElement), document.documentElement);
          return document.querySelector("main") !== null && getComputedStyle(document.body).margin;
        })()
        """)
      // Those of the style sheet, not the browser's.
      #expect(shown == "0px", "\(name)")
      for theme in Display.Theme.allCases {
        let found = try tab.evaluate(
          """
          (document.documentElement.dataset.theme = "\(theme.rawValue)", axe.run(document, {
            runOnly: \(theme == .light ? all : ofColours), resultTypes: ["violations"],
          }).then((found) => found.violations.map((one) => one.id + ": " + one.nodes.map((node) => node.html)).join("; ")))
          """)
        #expect(found == "", "\(name) \(theme.rawValue)")
      }
    }
  }
}
