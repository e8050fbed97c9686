// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The Swift of the pages that apps' developers read, block by block.
struct PageCode: Sendable {
  /// A block between its fences.
  struct Block: Sendable {
    /// Below the root of the repository.
    let page: String
    /// Of its first line of code in the page, from 1.
    let line: Int
    let text: String

    /// Lines of a manifest, which are no file of their own.
    var isManifest: Bool { text.hasPrefix(".package(") || text.hasPrefix(".product(") }
  }

  static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Every block of `docs` and of the README, in the order of their pages.
  static func all() throws -> [Block] {
    let folder = root.appending(path: "docs")
    let below = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
    return try (["README.md"] + below.sorted().map { "docs/\($0)" }).flatMap { page in
      blocks(of: try String(contentsOf: root.appending(path: page), encoding: .utf8), page: page)
    }
  }

  static func blocks(of text: String, page: String) -> [Block] {
    var (blocks, begin, code): ([Block], Int?, [Substring]) = ([], nil, [])
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if let start = begin {
        if line.hasPrefix("```") {
          blocks.append(Block(page: page, line: start, text: code.map { "\($0)\n" }.joined()))
          (begin, code) = (nil, [])
        } else {
          code.append(line)
        }
      } else if line == "```swift" {
        begin = index + 2
      }
    }
    return blocks
  }

  /// Where the build put the modules: beside the program of the tests.
  static let modules: URL? = {
    let folders =
      Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
      + [Bundle.main.bundleURL, Bundle.main.executableURL?.deletingLastPathComponent()].compactMap { $0 }
    return folders.first {
      FileManager.default.fileExists(atPath: $0.appending(path: "Modules/PowerAuth2.swiftmodule").path)
    }
  }()

  /// The compiler's complaints about these blocks, each a file of one module, by page and line; empty when it has none.
  static func complaints(_ blocks: [Block], in folder: URL) throws -> String {
    guard let modules else { throw CocoaError(.fileNoSuchFile) }
    var files: [String] = []
    for (number, block) in blocks.enumerated() {
      let file = folder.appending(path: "Block\(number).swift")
      try "#sourceLocation(file: \"\(block.page)\", line: \(block.line))\n\(block.text)"
        .write(to: file, atomically: true, encoding: .utf8)
      files.append(file.path)
    }
    let (process, said) = (ChildProcess(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "swiftc", "-typecheck", "-parse-as-library", "-swift-version", "6", "-module-name", "Pages",
        "-I", modules.appending(path: "Modules").path, "-module-cache-path", folder.appending(path: "cache").path,
        // The one module of C that OpenCombine shows.
        "-Xcc", "-fmodule-map-file=\(modules.appending(path: "COpenCombineHelpers.build/module.modulemap").path)",
      ] + files
    process.standardOutput = FileHandle.nullDevice
    process.standardError = said
    try process.run()
    let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    if process.terminationStatus == 0 { return "" }
    return text.isEmpty ? "swiftc left with \(process.terminationStatus)" : text
  }

  /// Whether there is a compiler beside the tests.
  static let canCompile: Bool = {
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swiftc", "--version"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard modules != nil, (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()
}
