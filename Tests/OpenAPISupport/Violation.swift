// SPDX-License-Identifier: Apache-2.0

/// One way in which a document, a request or an answer breaks a rule. It never quotes a value.
package struct Violation: Sendable, Equatable, CustomStringConvertible {
  /// JSON pointer (RFC 6901) into the body, or the part of the message, such as `header x-access-token`.
  package let place: String
  /// The schema keyword or the rule.
  package let rule: String
  /// The same for people.
  package let message: String

  init(_ place: String, _ rule: String, _ message: String) {
    self.place = place
    self.rule = rule
    self.message = message
  }

  package var description: String { "\(place.isEmpty ? "/" : place): \(rule): \(message)" }

  /// A member name as a part of a JSON pointer.
  static func escaped(_ name: String) -> String {
    name.replacing("~", with: "~0").replacing("/", with: "~1")
  }
}
