// SPDX-License-Identifier: Apache-2.0

/// The targets of `Package.swift`, read from its text.
struct Manifest {
  struct Target {
    let kind: String
    let name: String
    let path: String
    let excluded: [String]
    /// Targets of this package.
    let siblings: [String]
    /// Products of other packages.
    let products: [String]
  }

  let targets: [Target]

  init(_ text: String) {
    let code = SwiftText(text).code.joined(separator: "\n")
    var targets: [Target] = []
    for kind in ["target", "executableTarget", "systemLibrary", "testTarget"] {
      for call in Self.calls(".\(kind)(", in: code) {
        guard let name = Self.string(after: "name:", in: call) else { continue }
        let dependencies = Self.list(after: "dependencies:", in: call) ?? ""
        let products = Self.calls(".product(", in: dependencies)
        let names = products.compactMap { Self.string(after: "name:", in: $0) }
        let rest = products.reduce(dependencies) { $0.replacing(".product(\($1))", with: "") }
        targets.append(
          Target(
            kind: kind, name: name,
            path: Self.string(after: "path:", in: call) ?? (kind == "testTarget" ? "Tests/" : "Sources/") + name,
            excluded: Self.strings(Self.list(after: "exclude:", in: call) ?? ""), siblings: Self.strings(rest),
            products: names))
      }
    }
    self.targets = targets
  }

  func target(_ name: String) -> Target? { targets.first { $0.name == name } }

  /// The target that compiles a file: the innermost folder that does not exclude it.
  func target(of file: Repository.File) -> Target? {
    targets.filter { target in
      file.isBelow(target.path) && !target.excluded.contains { file.isBelow("\(target.path)/\($0)") }
    }.max { $0.path.count < $1.path.count }
  }

  /// The Swift files of the repository by the names of their targets: each file is looked up once, and not once for
  /// each target.
  func swiftFiles() -> [String: [Repository.File]] {
    Dictionary(grouping: Repository.swift) { target(of: $0)?.name ?? "" }
  }

  /// A target's siblings, theirs, and so on.
  func reach(_ target: Target) -> [Target] {
    var (reached, frontier): ([Target], [Target]) = ([], [target])
    while let next = frontier.popLast() {
      let known = Set(reached.map(\.name))
      let fresh = next.siblings.compactMap(target(_:)).filter { !known.contains($0.name) }
      reached += fresh
      frontier += fresh
    }
    return reached
  }

  /// What stands between the parentheses of every such call.
  private static func calls(_ opening: String, in text: String) -> [String] {
    text.ranges(of: opening).filter { range in
      // `.target(` is also the end of no longer word.
      range.lowerBound == text.startIndex || !text[text.index(before: range.lowerBound)].isLetter
    }.map { enclosed(text[$0.upperBound...], "(", ")") }
  }

  private static func list(after label: String, in text: String) -> String? {
    guard let start = text.firstRange(of: label), let opening = text[start.upperBound...].firstIndex(of: "[") else {
      return nil
    }
    return enclosed(text[text.index(after: opening)...], "[", "]")
  }

  private static func enclosed(_ text: Substring, _ opening: Character, _ closing: Character) -> String {
    var depth = 1
    return String(
      text.prefix { character in
        if character == opening { depth += 1 } else if character == closing { depth -= 1 }
        return depth > 0
      })
  }

  private static func string(after label: String, in text: String) -> String? {
    guard let start = text.firstRange(of: label) else { return nil }
    return strings(String(text[start.upperBound...])).first
  }

  private static func strings(_ text: String) -> [String] {
    text.matches(of: /"([^"]*)"/).map { String($0.output.1) }
  }
}
