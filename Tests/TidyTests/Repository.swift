// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The repository that these tests lie in, as files.
enum Repository {
  /// A file by its path below the root, with its text.
  struct File: Sendable, CustomStringConvertible {
    let path: String
    let text: String
    let bytes: Data

    var description: String { path }
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    func mentions(_ word: String) -> Bool { Repository.mentions(word, in: bytes) }
    func isBelow(_ folder: String) -> Bool { path.hasPrefix(folder + "/") }
  }

  static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// What the repository never holds; the first names of `.gitignore`.
  private static let ignored: Set<String> = [
    ".git", ".build", ".swiftpm", "DerivedData", "data", "Package.resolved", ".DS_Store",
  ]

  /// Every text file, in the order of their paths.
  static let files: [File] = {
    let base = root.path.hasSuffix("/") ? root.path : root.path + "/"
    var files: [File] = []
    func walk(_ folder: URL, isRoot: Bool) {
      let entries = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
      for entry in entries where !(isRoot && isIgnored(entry.lastPathComponent)) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: entry.path, isDirectory: &isFolder) else { continue }
        if isFolder.boolValue {
          walk(entry, isRoot: false)
        } else if let bytes = try? Data(contentsOf: entry), let text = String(data: bytes, encoding: .utf8) {
          files.append(File(path: String(entry.path.dropFirst(base.count)), text: text, bytes: bytes))
        }
      }
    }
    walk(root, isRoot: true)
    return files.sorted { $0.path < $1.path }
  }()

  static let swift: [File] = files.filter { $0.path.hasSuffix(".swift") && $0.path != "Package.swift" }
  static let sources: [File] = swift.filter { $0.isBelow("Sources") }

  static func mentions(_ word: String, in bytes: Data) -> Bool { bytes.range(of: Data(word.utf8)) != nil }

  static func text(_ path: String) -> String? { files.first { $0.path == path }?.text }

  private static func isIgnored(_ name: String) -> Bool {
    ignored.contains(name) || name.hasPrefix(".build-") || name.hasPrefix(".build_") || name.hasSuffix(".xcodeproj")
  }
}
