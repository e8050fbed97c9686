// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A path with parameters, in the notation of OpenAPI (`/a/{b}`) or of routers (`/a/:b`).
package struct PathTemplate: Sendable, Hashable, CustomStringConvertible {
  enum Part: Sendable, Hashable {
    case literal(String)
    case parameter(String)

    var isLiteral: Bool { if case .literal = self { true } else { false } }
  }

  let parts: [Part]

  package init(_ path: String) {
    parts = path.split(separator: "/").map { part in
      if part.hasPrefix("{"), part.hasSuffix("}") { return .parameter(String(part.dropFirst().dropLast())) }
      return part.hasPrefix(":") ? .parameter(String(part.dropFirst())) : .literal(String(part))
    }
  }

  package var description: String { text { "{\($0)}" } }

  /// Without the names of the parameters.
  var shape: String { text { _ in "{}" } }

  var names: [String] { parts.compactMap { if case .parameter(let name) = $0 { name } else { nil } } }

  /// The parameters of a concrete path's pieces; nil when it does not fit.
  func values(in pieces: [Substring]) -> [String: String]? {
    guard pieces.count == parts.count else { return nil }
    var values: [String: String] = [:]
    for (part, piece) in zip(parts, pieces) {
      switch part {
      case .literal(let literal): guard literal == piece else { return nil }
      case .parameter(let name): values[name] = piece.removingPercentEncoding ?? String(piece)
      }
    }
    return values
  }

  /// Compared from the left: a literal part wins over a parameter.
  func isMoreLiteral(than other: PathTemplate) -> Bool {
    for (mine, theirs) in zip(parts, other.parts) where mine.isLiteral != theirs.isLiteral {
      return mine.isLiteral
    }
    return false
  }

  private func text(_ parameter: (String) -> String) -> String {
    parts.reduce(into: "") { text, part in
      switch part {
      case .literal(let literal): text += "/" + literal
      case .parameter(let name): text += "/" + parameter(name)
      }
    }
  }
}
