// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// What customers confirmed or denied with the Authenticator, with the evidence of what they were shown and what their
/// device signed (Commission Delegated Regulation (EU) 2018/389, articles 5 and 29): by the ids and the bank's name of
/// an operation, or by the bank's name of the user, of whom a keyed digest is kept.
///
/// Of banks that have servers of their own nothing is here: what they show is sealed for the device.
package struct OperationRepository: RecordRepository {
  package let kind = "sca"
  package let states = OperationState.allCases.map(\.rawValue)
  let core: CoreDependencies

  package init(_ core: CoreDependencies) { self.core = core }

  package func page(_ question: RecordQuestion, for reader: RecordReader) async throws -> RecordPage {
    try await core.database.write(retrying: .outdated) { [core, kind] tx in
      try core.audit.append("records.listed", to: reader.chain, by: reader.actor, facts: reader.listed(kind), in: tx)
    }
    // Without a lock: a search may look at many rows.
    return try await core.database.read { [core] tx in
      let banks = try ProviderStore(tx, vault: core.vault).tenants().filter { reader.scope.contains($0.value) }
      guard !banks.isEmpty else { return RecordPage([]) }
      let store = OperationStore(tx, vault: core.vault)
      let ids = Array(banks.keys)
      func row(_ operation: Operation) -> RecordRow { Self.row(operation, tenant: banks[operation.provider] ?? "") }
      let before = question.after.flatMap(Self.place(of:))
      if let name = question.name {
        guard RecordQuestion.isName(name) else { return RecordPage([]) }
        let users = ids.map { core.digest(user: name, of: $0) }
        return RecordPage(
          try store.named(name, users: users, of: ids, before: before, limit: RecordQuestion.pageMax + 1).map(row),
          place: Self.place)
      }
      let states = question.state.flatMap(OperationState.init(rawValue:)).map { [$0] } ?? OperationState.allCases
      return RecordPage(
        try store.page(states, of: ids, before: before, limit: RecordQuestion.pageMax + 1).map(row), place: Self.place)
    }
  }

  package func record(_ id: String, for reader: RecordReader) async throws -> RecordFile {
    try await core.database.write(retrying: .outdated) { [core] tx in
      guard let operation = try OperationStore(tx, vault: core.vault).find(.init(rawValue: id)),
        let tenant = try ProviderStore(tx, vault: core.vault).tenants()[operation.provider],
        reader.scope.contains(tenant)
      else { throw Problem.notFound }
      let (content, evidence) = (operation.content, operation.evidence)
      try reader.requireOther(than: content.user)
      try core.audit.append(
        "saltedge.operation.seen", to: core.chain(operation.id), by: reader.actor, facts: reader.looked, in: tx)
      return RecordFile(
        Self.row(operation, tenant: tenant),
        facts: [
          ("user", content.user), ("title", content.title), ("payee", content.payment?.payee),
          ("amount", content.payment.map { "\($0.amount) \($0.currency)" }), ("account", content.payment?.account),
          ("begins", operation.createdAt.rfc3339), ("ends", operation.expiresAt.rfc3339),
          ("decided", evidence?.at.rfc3339), ("device", evidence?.connection),
          ("protocol", evidence.map { "v\($0.apiVersion)" }), ("unlocked", evidence?.authorizationType),
          ("place", evidence?.geolocation), ("code", operation.state == .offered ? nil : operation.code.text),
        ],
        texts: [
          ("shown", try evidence?.shown ?? (content == .erased ? nil : operation.shownV2())),
          ("confirmation", evidence?.confirmation), ("signed", evidence.map { Self.text($0.signed) }),
          ("signature", evidence?.signature), ("public_key", evidence?.publicKey),
        ], subjects: [], chain: core.chain(operation.id))
    }
  }

  private static func row(_ operation: Operation, tenant: String) -> RecordRow {
    RecordRow(
      id: operation.id.rawValue, name: operation.reference, tenant: tenant, state: operation.state.rawValue,
      at: operation.createdAt)
  }

  private static func place(_ row: RecordRow) -> String { "\(row.at.milliseconds).\(row.id)" }

  private static func place(of text: String) -> (Instant, String)? {
    let parts = text.split(separator: ".", maxSplits: 1)
    guard parts.count == 2, let milliseconds = Int64(parts[0]) else { return nil }
    return (Instant(milliseconds: milliseconds), String(parts[1]))
  }

  /// What was signed is text of JSON, or bytes that no reader could read.
  private static func text(_ bytes: Data) -> String {
    String(bytes: bytes, encoding: .utf8) ?? bytes.base64EncodedString()
  }
}
