// SPDX-License-Identifier: Apache-2.0

/// Something of Apple's systems or of Swift's runtime that came after the floor of the SDKs
/// (docs/decisions/0102-the-floor-of-the-sdks.md): a name, the first iOS that has it, and what to write instead.
///
/// Linux compiles all of it, so that only this list and the first build with Apple's SDK tell. A line may name it when
/// one of the few lines before asks `#available` for that iOS, or a later one.
struct LaterAPI: Sendable, CustomStringConvertible {
  /// First line of defence against reading every file by a pattern.
  let words: [String]
  let version: Version
  let cure: String
  /// A line that names it, and for the tests one that does not.
  let sample: (bad: String, good: String)
  private let pattern: @Sendable () -> Regex<AnyRegexOutput>

  /// Of iOS. macOS is 3 less up to iOS 18, and the same from 26 on.
  struct Version: Sendable, Comparable {
    let major: Int
    var minor = 0

    static func < (left: Self, right: Self) -> Bool { (left.major, left.minor) < (right.major, right.minor) }
  }

  /// Of `Package.swift` for apps; `scripts/sdk_mirror.py` has the same.
  static let floor = Version(major: 16)
  /// How far above a line its `#available` may stand.
  private static let reach = 12

  init<Output>(
    _ words: [String], _ pattern: @escaping @Sendable () -> Regex<Output>, since version: Version, cure: String,
    bad: String, good: String
  ) {
    (self.words, self.version, self.cure, self.sample) = (words, version, cure, (bad, good))
    // Else `A.b` is one word, as Unicode says for text.
    self.pattern = { Regex(pattern().wordBoundaryKind(.simple)) }
  }

  var description: String { "\(words.joined(separator: ", ")), of iOS \(version.major).\(version.minor)" }

  /// `path:line`, for every line that names it without asking for its version.
  func findings(_ files: [Repository.File]) -> [String] {
    let pattern = pattern()
    return files.filter { file in words.contains { file.mentions($0) } }.flatMap { file -> [String] in
      let lines = SwiftText(file.text).bare
      return lines.indices.filter { index in
        words.contains { lines[index].contains($0) } && lines[index].contains(pattern)
          && !lines[max(0, index - Self.reach)...index].contains { asks($0) }
      }.map { "\(file.path):\($0 + 1)" }
    }
  }

  private func asks(_ line: String) -> Bool {
    guard let found = line.firstMatch(of: /available\(\s*iOS (\d+)(?:\.(\d+))?/) else { return false }
    let asked = Version(major: Int(found.output.1) ?? 0, minor: found.output.2.flatMap { Int($0) } ?? 0)
    return asked >= version
  }
}
