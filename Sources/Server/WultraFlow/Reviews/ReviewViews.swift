// SPDX-License-Identifier: Apache-2.0

import Kit

// Members are spelled as on the wire.

struct ReviewListView: Encodable {
  let reviews: [ReviewView]
}

struct ReviewView: Encodable {
  struct Picture: Encodable {
    /// From 1.
    let number: Int
    /// `ID_CARD`, `PASSPORT`, `DRIVING_LICENSE`, or `FACE` of the presence check.
    let kind: String
    /// Of a document.
    let side: String?
  }

  let review_id: String
  /// `documents` or `presence`.
  let subject: String
  /// What could not be decided.
  let codes: [String]
  /// RFC 3339.
  let opened_at: String
  /// Nil in lists.
  let pictures: [Picture]?

  init(_ review: ReviewCase, pictures: [ReviewPicture]? = nil) {
    review_id = review.id.rawValue
    subject = review.subject.rawValue
    codes = review.codes
    opened_at = review.openedAt.rfc3339
    self.pictures = pictures?.enumerated().map { index, picture in
      Picture(
        number: index + 1, kind: picture.document?.wire.rawValue ?? "FACE",
        side: picture.document == nil ? nil : picture.side.rawValue)
    }
  }
}

/// Nothing has to be said.
struct ReviewWithdrawalRequest: Decodable {}

struct ReviewDecisionRequest: Decodable {
  let verdict: String
  let reason: String?
  /// Of `retake`: the numbers of the pictures.
  let retake: [Int]?
  /// Of `retake`: what the app is told.
  let words: String?
}

struct ReviewDecisionView: Encodable {
  let review_id: String
  let verdict: String
}
