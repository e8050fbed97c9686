// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Debian's Chromium without a window: what a page looks like, and how wide it comes out.
package enum Chromium {
  static let program = ["chromium", "chromium-browser", "google-chrome"]
    .flatMap { name in ["/usr/bin", "/usr/local/bin"].map { "\($0)/\(name)" } }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  package static var isInstalled: Bool { program != nil }
  package static let missing = "chromium is missing: scripts/bootstrap installs it"

  package struct Failed: Error {}

  /// The screen as PNG.
  /// - Parameter address: of a page, or of a file.
  package static func screenshot(_ address: String, width: Int, height: Int, in folder: TestFolder) throws -> Data {
    let file = folder.file("screen-\(UUID().uuidString).png")
    _ = try run(["--screenshot=\(file)", "--window-size=\(width),\(height)", address], in: folder)
    guard let data = FileManager.default.contents(atPath: file) else { throw Failed() }
    return data
  }

  /// How a page comes out in frames of given widths, where no script of its own runs.
  package struct Layout: Decodable, Sendable {
    /// Place of the page in what was given.
    package let page: Int
    package let width: Int
    /// What the content needs, in CSS pixels.
    package let scrollWidth: Int
    package let height: Int
    package let text: Int
    /// Pictures that could not be shown.
    package let broken: Int
  }

  package static func layouts(_ pages: [String], widths: [Int], in folder: TestFolder) throws -> [Layout] {
    let frames = pages.enumerated().flatMap { index, html in
      widths.map { width in
        // Without allow-scripts nothing of the page runs; the frame around it may look inside.
        """
        <iframe sandbox="allow-same-origin" data-page="\(index)" width="\(width)" height="800" style="border:0"
          srcdoc="\(html.replacing("&", with: "&amp;").replacing("\"", with: "&quot;"))"></iframe>
        """
      }
    }
    let script = """
      addEventListener("load", () => {
        const found = [...document.querySelectorAll("iframe")].map((frame) => {
          const page = frame.contentDocument, all = page.documentElement
          return {
            page: +frame.dataset.page, width: +frame.width, scrollWidth: all.scrollWidth, height: all.scrollHeight,
            text: page.body.innerText.length, broken: [...page.images].filter((image) => !image.naturalWidth).length,
          }
        })
        document.body.textContent = "FOUND" + JSON.stringify(found) + "END"
      })
      """
    let file = folder.file("frames-\(UUID().uuidString).html")
    try Data("<!doctype html><meta charset=utf-8><script>\(script)</script><body>\(frames.joined())".utf8)
      .write(to: URL(fileURLWithPath: file))
    let dom = try run(["--dump-dom", "--window-size=1000,1000", "file://\(file)"], in: folder)
    guard let start = dom.range(of: "FOUND["), let end = dom.range(of: "]END", range: start.upperBound..<dom.endIndex)
    else { throw Failed() }
    return try JSONDecoder().decode(
      [Layout].self, from: Data("[\(dom[start.upperBound..<end.lowerBound])]".utf8))
  }

  private static func run(_ arguments: [String], in folder: TestFolder) throws -> String {
    guard let program else { throw Failed() }
    let (process, output) = (ChildProcess(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
    process.arguments =
      [
        "90", program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
        "--disable-dev-shm-usage", "--user-data-dir=\(folder.file("profile"))",
      ] + arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
