// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// What happened to a picture of a document.
package enum DocumentEvent: String, Sendable, CaseIterable {
  /// A submission names a picture that was uploaded by itself.
  case submitted
  case read
  case accepted, rejected
  /// It cannot be decoded.
  case failed
  /// The reviewer asks for another one.
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

/// How a picture of a document moves.
struct DocumentMachine: StateMachine {
  typealias State = SubmittedDocument.Status
  typealias Event = DocumentEvent
  typealias Effect = DocumentEffect

  let vault: Vault
  /// The status of the row.
  let stored: SubmittedDocument.Status
  /// What was read of the picture by this move.
  let reading: Data?

  var flow: String { "wultra-document" }
  var table: TransitionTable<State, Event, Effect> { documentFlow }
  var state: WritableKeyPath<SubmittedDocument, State> { \.status }

  func tenant(of document: SubmittedDocument, in tx: any SQLTransaction) throws -> String? {
    try ProcessStore(tx, vault: vault).tenant(of: document.verification)
  }

  func refusal(of event: DocumentEvent, in status: State) -> any Error { Problem.documentSubmitFailed }

  func save(_ document: inout SubmittedDocument, in tx: any SQLTransaction) throws {
    let store = SubmittedDocumentStore(tx, vault: vault)
    try store.update(document, from: stored)
    if let reading { try store.setReading(reading, of: document.id) }
  }

  /// The steps of a verification are audited, whose chain is the process's.
  func auditEntry(for move: Move, of document: SubmittedDocument) -> AuditEntry? { nil }

  func owedEffect(_ effect: DocumentEffect, for move: Move, of document: SubmittedDocument) -> OwedEffect? {
    OwedEffect(WultraEffects.topic(effect), subject: document.id.rawValue)
  }
}

extension Dossiers {
  /// Moves a picture of a document.
  /// - Parameter reading: what was read of it.
  /// - Throws: `SQLError.outdated` when another transaction was faster.
  func move(
    _ document: inout SubmittedDocument, on event: DocumentEvent, reading: Data? = nil, by actor: String = "system",
    in tx: any SQLTransaction
  ) throws {
    let machine = DocumentMachine(vault: core.vault, stored: document.status, reading: reading)
    try core.mover.move(&document, on: event, of: machine, by: actor, in: tx)
  }
}
