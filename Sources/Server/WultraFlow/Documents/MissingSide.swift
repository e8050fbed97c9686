// SPDX-License-Identifier: Apache-2.0

import WultraWire

/// A side that was never sent of a document whose other side was. Released apps take a document for complete when they
/// see one of its sides, so the app is told of this side as of a picture that was refused. It has an id of its own, and
/// the app sends the side as the replacement of that picture.
struct MissingSide: Sendable, Equatable {
  let document: IdentityDocument
  let side: IdentityDocument.Side

  /// The sides that are to be asked for; empty while the app waits for pictures that are under way.
  /// - Parameter documents: those that count.
  static func all(in documents: [SubmittedDocument]) -> [MissingSide] {
    guard documents.contains(where: \.isBad) || documents.allSatisfy({ $0.status == .accepted }) else { return [] }
    return IdentityDocument.allCases.flatMap { document -> [MissingSide] in
      let there = documents.filter { $0.document == document }.map(\.side)
      return there.isEmpty
        ? [] : document.sides.filter { !there.contains($0) }.map { MissingSide(document: document, side: $0) }
    }
  }

  var id: SubmittedDocument.ID { .init(rawValue: "missing-\(document.rawValue)-\(side.rawValue)") }

  var view: Wultra.DocumentState {
    Wultra.DocumentState(
      filename: id.rawValue, id: id.rawValue, type: document.wire, side: side.wire, status: .rejected,
      errors: [Wultra.hiddenError])
  }
}
