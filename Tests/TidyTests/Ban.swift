// SPDX-License-Identifier: Apache-2.0

/// Something that must not be written, where, and what to do instead.
struct Ban: Sendable, CustomStringConvertible {
  enum Part: Sendable {
    /// The file as it is.
    case text
    /// Swift without comments.
    case code
    /// Swift without comments and the insides of strings.
    case bare
  }

  let what: String
  let cure: String
  let part: Part
  /// Which files it is looked for in.
  let scope: @Sendable (Repository.File) -> Bool
  /// Files that may, by path, each with its reason.
  let exceptions: [String: String]
  /// Words without which a file cannot break the rule: most files are not read any further.
  private let words: [String]
  private let pattern: @Sendable () -> Regex<AnyRegexOutput>

  init<Output>(
    _ what: String, _ words: [String], _ pattern: @escaping @Sendable () -> Regex<Output>, cure: String,
    in part: Part = .bare, scope: @escaping @Sendable (Repository.File) -> Bool, exceptions: [String: String] = [:]
  ) {
    self.what = what
    self.cure = cure
    self.part = part
    self.scope = scope
    self.exceptions = exceptions
    self.words = words
    self.pattern = { Regex(pattern()) }
  }

  var description: String { "no \(what)" }

  /// `path:line`, for every line that breaks the rule.
  func findings(_ files: [Repository.File], excepting: Bool = true) -> [String] {
    let pattern = pattern()
    return files.filter { file in
      words.contains { file.mentions($0) } && !(excepting && exceptions.keys.contains(file.path)) && scope(file)
    }.flatMap { file in
      lines(file).enumerated().filter { line in
        words.contains { line.element.contains($0) } && line.element.contains(pattern)
      }.map { "\(file.path):\($0.offset + 1)" }
    }
  }

  private func lines(_ file: Repository.File) -> [String] {
    switch part {
    case .text: file.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    case .code: SwiftText(file.text).code
    case .bare: SwiftText(file.text).bare
    }
  }
}
