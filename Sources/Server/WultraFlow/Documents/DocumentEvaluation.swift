// SPDX-License-Identifier: Apache-2.0

/// What the pictures of a verification come to together (wultra-onboarding.md §4, §5). Pure.
enum DocumentEvaluation: Equatable {
  /// Something is still being read.
  case reading
  /// Read, and not every picture is judged.
  case judgeable
  /// One has to be taken again, or the required set is not there yet.
  case incomplete
  case complete

  /// - Parameter documents: those that count.
  init(_ documents: [SubmittedDocument], _ policy: WultraPolicy) {
    if documents.contains(where: { $0.isBeingRead }) {
      self = .reading
    } else if documents.contains(where: { $0.status == .read || $0.status == .verifying }) {
      self = .judgeable
    } else if documents.contains(where: { $0.isBad }) || !policy.isSatisfied(by: documents) {
      self = .incomplete
    } else {
      self = .complete
    }
  }
}

extension WultraPolicy {
  /// Whether the required set is there: enough different documents, each with all its sides accepted, and a primary
  /// one among them.
  func isSatisfied(by documents: [SubmittedDocument]) -> Bool {
    let whole = IdentityDocument.allCases.filter { document in
      document.sides.allSatisfy { side in
        documents.contains { $0.document == document && $0.side == side && $0.status == .accepted }
      }
    }
    return whole.count >= distinctDocuments && whole.contains { primaryDocuments.contains($0) }
  }
}
