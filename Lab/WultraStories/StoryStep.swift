// SPDX-License-Identifier: Apache-2.0

/// One step of a story: what was done, what the app shows then, and what it should show.
package struct StoryStep: Sendable {
  package let story: String
  package let action: String
  package let shown: String
  package let expected: String
  /// What else there is to say, for people.
  package let note: String
  package let duration: Duration

  package var isAsExpected: Bool { shown == expected }
}

/// What a step came to, before it is compared with what was expected.
package struct StoryAnswer: Sendable {
  package var shown: String
  package var note: String

  package init(_ shown: String, note: String = "") {
    self.shown = shown
    self.note = note
  }
}
