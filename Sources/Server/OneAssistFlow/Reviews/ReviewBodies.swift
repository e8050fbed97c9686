// SPDX-License-Identifier: Apache-2.0

import Kit
import OneAssistCore
import OneAssistWire

// What reviewers' systems send, and what they get. Members are in snake case and read strictly.

struct PhotoDecisionRequest: Decodable, Sendable {
  /// accept or refuse.
  let verdict: String
  /// Of a refusal: for the person who takes the photo again.
  let reason: String?
  /// Who decided, in the reviewers' own system.
  let agent: String?
}

struct CodeRequest: Decodable, Sendable {
  /// Eleven digits, as they were read from the photo.
  let digits: String
  let agent: String?
}

struct CodeView: Codable, Sendable {
  /// verified, expired, mismatch or unreadable.
  let verdict: String
}

struct VerdictRequest: Decodable, Sendable {
  /// approve, reupload or reject.
  let verdict: String
  let reason: String?
  let agent: String?
}

struct WithdrawalRequest: Decodable, Sendable {
  /// Who asked, as the client named them then.
  let agent: String?
}

struct ReviewVerdictView: Codable, Sendable {
  let status: String
}

struct ReviewPhotoView: Codable, Sendable {
  let name: String
  let status: String
  let reason: String?
  let code: String?
  let uploaded_at: String

  init(_ photo: Photo) {
    (name, status, reason) = (photo.name.rawValue, photo.status.rawValue, photo.reason)
    (code, uploaded_at) = (photo.verdict?.rawValue, photo.uploadedAt.rfc3339)
  }
}

struct ReviewCaseView: Codable, Sendable {
  let id: String
  let status: String
  let reuploads: Int
  /// What to look at twice.
  let flags: [String]
  let documents: [ReviewPhotoView]

  init(_ review: ReviewCommands.Case) {
    let membership = review.membership
    (id, status, reuploads) = (membership.id.rawValue, membership.status.rawValue, membership.reuploads)
    flags = membership.flags.sorted().map(\.rawValue)
    documents = review.photos.map(ReviewPhotoView.init)
  }
}

/// One case with what the photos have to show.
struct ReviewDetailView: Codable, Sendable {
  let review: ReviewCaseView
  let make: String
  let model: String
  let device_model: String?
  let imei: String?
  let imei2: String?
  let invoice_date: String?
  let invoice_value: Int64
  /// What was decided with a reason, the latest last.
  let decisions: [ReviewDecisionView]

  init(_ review: ReviewCommands.Case) {
    let content = review.membership.content
    self.review = ReviewCaseView(review)
    (make, model, device_model) = (content.make, content.model, content.deviceModel)
    (imei, imei2) = (content.imei, content.imei2)
    (invoice_date, invoice_value) = (content.invoiceDate?.description, content.invoiceValue)
    decisions = (content.decisions ?? []).map(ReviewDecisionView.init)
  }
}

struct ReviewDecisionView: Codable, Sendable {
  let at: String
  /// Who decided, as the audit names them.
  let by: String
  let verdict: String
  let reason: String

  init(_ decision: Membership.Decision) {
    (at, by) = (Instant(milliseconds: decision.at).rfc3339, decision.actor)
    (verdict, reason) = (decision.verdict, decision.reason)
  }
}

struct ReviewQueueView: Codable, Sendable {
  let reviews: [ReviewCaseView]
}
