// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import WultraWire

/// One picture of one side of a document, as it was submitted.
package struct SubmittedDocument: Sendable {
  package typealias ID = Identifier<SubmittedDocument>

  package enum Status: String, Sendable, CaseIterable, SQLConvertible {
    /// Uploaded by itself; not named by a submission yet.
    case uploaded
    /// Waits for the worker to read it.
    case reading = "UPLOAD_IN_PROGRESS"
    /// Read; not judged yet.
    case read = "VERIFICATION_PENDING"
    /// With a provider that answers later.
    case verifying = "VERIFICATION_IN_PROGRESS"
    case accepted = "ACCEPTED"
    case rejected = "REJECTED"
    case failed = "FAILED"
    /// Another picture took its place.
    case disposed = "DISPOSED"
  }

  package let id: ID
  let verification: IdentityVerification.ID
  let document: IdentityDocument
  let side: IdentityDocument.Side
  /// As the app called it; of no meaning here.
  let filename: String
  package internal(set) var status: Status
  /// A code, for operators.
  package internal(set) var errorCode: String?
  /// The picture that it replaces.
  let original: ID?
  /// Its picture is stored under `id`.
  let hasImage: Bool
  /// Its portrait was cut out and is stored.
  var hasPortrait: Bool
  let createdAt: Instant

  package init(
    id: ID, verification: IdentityVerification.ID, document: IdentityDocument, side: IdentityDocument.Side,
    filename: String, status: Status, errorCode: String? = nil, original: ID?, hasImage: Bool,
    hasPortrait: Bool = false, createdAt: Instant
  ) {
    self.id = id
    self.verification = verification
    self.document = document
    self.side = side
    self.filename = filename
    self.status = status
    self.errorCode = errorCode
    self.original = original
    self.hasImage = hasImage
    self.hasPortrait = hasPortrait
    self.createdAt = createdAt
  }

  /// Whether it has to be taken again.
  var isBad: Bool { status == .rejected || status == .failed }
  /// Whether a person asked for another one. It is no failure of the user's.
  var isAskedAgain: Bool { errorCode == Self.retakeCode }
  /// Whether its fate is still open.
  var isBeingRead: Bool { status == .reading }

  var portraitKey: String { Self.portraitKey(id) }
  static func portraitKey(_ id: ID) -> String { "\(id.rawValue)-portrait" }

  /// What its blobs are sealed for, so that they open nowhere else.
  static func context(_ key: String) -> String { "wultra_document:\(key)" }

  static let retakeCode = "retake-requested"

  /// As the app is told of it.
  /// - Parameter words: of the reviewer who asked for another one.
  func view(words: String? = nil) -> Wultra.DocumentState {
    Wultra.DocumentState(
      filename: filename, id: id.rawValue, type: document.wire, side: side.wire,
      status: Wultra.DocumentStatus(rawValue: status == .uploaded ? Status.reading.rawValue : status.rawValue),
      errors: isBad ? [isAskedAgain ? words ?? Wultra.hiddenError : Wultra.hiddenError] : nil)
  }
}
