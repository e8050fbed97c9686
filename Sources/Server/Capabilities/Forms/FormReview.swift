// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// What a rule has to say about one member of a form.
///
/// The message is for the customer and never repeats an answer, for it travels in problem documents and logs.
package struct FormFinding: Hashable, Sendable {
  /// JSON pointer (RFC 6901) into the body of the submission, `/results/tax_residences/0/tin`.
  package let field: String
  /// A short stable word, `required`.
  package let code: String
  /// The same for people.
  package let message: String

  /// Creates the value from its members.
  package init(field: String, code: String, message: String) {
    self.field = field
    self.code = code
    self.message = message
  }
}

/// The outcome of the rules of a form.
package struct FormReview: Hashable, Sendable {
  /// Why the form is refused; empty when it is taken.
  package var errors: [FormFinding] = []
  /// What is taken, but should be looked at by an agent.
  package var flags: [FormFinding] = []
  /// The last day on which a W-8BEN of this form counts.
  package var validUntil: WireDate?

  /// Creates the value from its members.
  package init() {}

  /// Whether the form is taken.
  package var isAcceptable: Bool { errors.isEmpty }

  mutating func refuse(_ path: FormPath, _ code: String, _ message: String) {
    errors.append(FormFinding(field: path.pointer, code: code, message: message))
  }

  mutating func flag(_ path: FormPath, _ code: String, _ message: String) {
    flags.append(FormFinding(field: path.pointer, code: code, message: message))
  }
}

/// A place in the body of a submission.
struct FormPath {
  let pointer: String

  static let body = FormPath(pointer: "")
  static let results = body / "results"

  static func / (path: FormPath, member: String) -> FormPath {
    // RFC 6901 §3: `~` and `/` inside a name are escaped.
    let name = member.replacing("~", with: "~0").replacing("/", with: "~1")
    return FormPath(pointer: path.pointer + "/" + name)
  }

  static func / (path: FormPath, index: Int) -> FormPath { path / String(index) }
}
