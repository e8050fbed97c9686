// SPDX-License-Identifier: Apache-2.0

/// That two people have to agree to a move: a row of a transition table carries it, so that no route and no page can
/// leave it out. The second person is always another one than the first.
package struct FourEyes: Sendable, Hashable {
  /// The permission of who asks and, after the approval, acts.
  package let maker: String
  /// The permission of who agrees.
  package let checker: String

  package init(maker: String, checker: String) { (self.maker, self.checker) = (maker, checker) }
}

/// An act as an approval binds it: another action, another subject, a later version or other content is another act.
package struct BoundAct: Sendable, Equatable {
  /// `flow.event`.
  package let action: String
  package let subject: String
  /// Of the row that the decision is about.
  package let version: Int64
  /// What is decided, in the flow's own spelling; empty where action and subject say everything.
  package let content: String

  package init(_ action: String, subject: String, version: Int64, content: String = "") {
    (self.action, self.subject, self.version, self.content) = (action, subject, version, content)
  }
}
