/// A whole SQL statement whose values are bound, never pasted: an interpolated value becomes a parameter.
///
/// ```swift
/// try tx.execute("UPDATE account SET state = \(state) WHERE id = \(id)")
/// ```
package struct SQL: Sendable, ExpressibleByStringInterpolation {
  /// The text between the parameters; always one longer than `values`.
  package private(set) var fragments: [String]
  package private(set) var values: [SQLValue]

  package init(stringLiteral value: String) {
    fragments = [value]
    values = []
  }

  package init(stringInterpolation: Interpolation) {
    fragments = stringInterpolation.fragments
    values = stringInterpolation.values
  }

  /// The statement with the engine's own spelling of the parameter at a position, counted from 1.
  package func text(_ parameter: (Int) -> String) -> String {
    var text = fragments[0]
    for index in values.indices { text += parameter(index + 1) + fragments[index + 1] }
    return text
  }

  package struct Interpolation: StringInterpolationProtocol {
    var fragments = [""]
    var values: [SQLValue] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) { fragments[fragments.count - 1] += literal }

    package mutating func appendInterpolation(_ value: some SQLConvertible) {
      values.append(value.sqlValue)
      fragments.append("")
    }
  }
}
