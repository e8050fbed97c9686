// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import WultraWire

/// A submission whose parts fit each other (wultra-onboarding.md §4); whether they fit the verification is still open.
struct CheckedSubmission: Sendable {
  /// Pictures of one submission.
  static let filesMax = 8
  static let filenameBytesMax = 255
  /// Of the archive: each picture within Evidence's own limit.
  static let zipLimits = ZipLimits(
    entriesMax: 64, entryBytesMax: 10 * 1024 * 1024, totalBytesMax: 40 * 1024 * 1024)

  struct File: Sendable {
    let filename: String
    let document: IdentityDocument
    let side: IdentityDocument.Side
    let original: SubmittedDocument.ID?
    let upload: SubmittedDocument.ID?
  }

  let process: String
  let archive: Data?
  let files: [File]

  /// 1. One to `filesMax` pictures of known sides.  2. One of each side of each document.  3. A resubmission says of
  /// each picture what it replaces, anything else says it of none.
  /// - Throws: `Problem` DOCUMENT_SUBMIT_FAILED.
  init(_ submission: Wultra.DocumentSubmission) throws {
    process = submission.processId
    archive = submission.data
    files = try submission.documents.map { file in
      guard let document = IdentityDocument(rawValue: file.type.rawValue),
        let side = IdentityDocument.Side(rawValue: file.side.rawValue), document.kind(side) != nil,
        (1...Self.filenameBytesMax).contains(file.filename.utf8.count),
        (file.originalDocumentId != nil) == submission.resubmit
      else { throw Problem.documentSubmitFailed }
      return File(
        filename: file.filename, document: document, side: side,
        original: file.originalDocumentId.map { .init(rawValue: $0) }, upload: file.uploadId.map { .init(rawValue: $0) }
      )
    }
    let sides = Set(files.map { "\($0.document) \($0.side)" })
    let uploads = files.compactMap { $0.upload?.rawValue }
    guard (1...Self.filesMax).contains(files.count), sides.count == files.count, Set(uploads).count == uploads.count
    else {
      throw Problem.documentSubmitFailed
    }
  }
}
