// SPDX-License-Identifier: Apache-2.0

import Kit

/// What happened to a picture of a document.
package enum DocumentEvent: String, Sendable, CaseIterable {
  /// A submission names a picture that was uploaded by itself.
  case submitted
  case read
  case accepted, rejected
  /// It cannot be decoded.
  case failed
  /// Whoever reviews asks for another one.
  case retakeRequested
  /// Another picture takes its place.
  case replaced
}

/// What a picture's move causes outside of it.
package enum DocumentEffect: String, Sendable, CaseIterable {
  case readDocument
}

/// One picture of a document, from its upload to its judgement. A picture that a submission brings along begins as
/// `reading`, or as `failed`.
package let documentFlow: TransitionTable<SubmittedDocument.Status, DocumentEvent, DocumentEffect> = .init(
  [
    .init(.uploaded, on: .submitted, to: .reading, do: .readDocument),
    .init(.reading, on: .read, to: .read),
    .init(.reading, on: .rejected, to: .rejected),
    .init(.reading, on: .failed, to: .failed),
    .init(.read, on: .accepted, to: .accepted),
    .init(.read, on: .rejected, to: .rejected),
    .init(.accepted, on: .retakeRequested, to: .rejected),
  ]
    + [SubmittedDocument.Status.reading, .read, .verifying, .accepted, .rejected, .failed].map {
      .init($0, on: .replaced, to: .disposed)
    })
