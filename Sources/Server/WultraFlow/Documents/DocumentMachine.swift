// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// How a picture of a document moves.
struct DocumentMachine: StateMachine {
  typealias Subject = SubmittedDocument
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
