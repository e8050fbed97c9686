import Capabilities
import Foundation
import GatehouseWire
import Kit
import Storage

/// What the worker does for this room. Every effect bears repetition.
package struct SaltEdgeEffects: Sendable {
  private let room: SaltEdgeRoom
  private let webhooks: Webhooks
  private var parts: SaltEdgeParts { room.parts }

  /// - Parameter http: the line to receivers of webhooks.
  package init(_ room: SaltEdgeRoom, http: PeerHTTP) {
    self.room = room
    webhooks = Webhooks(parts: room.parts, http: http)
  }

  package var handlers: [String: OutboxWorker.Handler] {
    [
      "saltedge.\(AuthorizationEffect.forwardDecision.rawValue)": forwardDecision,
      "saltedge.\(ConnectionEffect.tellRevocation.rawValue)": tellRevocation,
      "saltedge.\(ConsentEffect.tellConsentRevocation.rawValue)": tellConsentRevocation,
      "saltedge.\(OperationEffect.notifyProvider.rawValue)": webhooks.notify,
    ]
  }

  /// What time ends. Run regularly by the caretaker.
  package func sweep() async throws {
    try await ConnectionBook(parts: parts).sweepLapsed()
    try await ActionBook(parts: parts).sweepOverdue()
    try await OperationBook(parts: parts).sweepOverdue()
  }

  /// Forgets what would not count any more.
  package func sweepMemory() async throws {
    let now = parts.world.now()
    try await parts.database.sweep { try SpentStore.sweep(before: now, limit: $1, in: $0) }
    try await parts.database.sweep { try OperationStore.sweepLinks(before: now, limit: $1, in: $0) }
  }

  /// Hands a decision to the bank as the device signed it, byte for byte. What fails on the way is tried again after
  /// the pauses of the policy; then, and when the bank refuses, the authorization has failed (§5.7, §16).
  private func forwardDecision(_ item: OutboxItem) async throws {
    let id = SaltEdgeAuthorization.ID(rawValue: item.subject)
    let found = try await parts.database.read { [parts] tx in
      try AuthorizationStore(tx, vault: parts.vault).find(id).map { authorization in
        (authorization, try ProviderStore(tx, vault: parts.vault).find(authorization.provider))
      }
    }
    // An earlier attempt came to its end after all, or another row owes the next one.
    guard let (authorization, provider) = found, let provider, let decision = authorization.decision,
      authorization.isProcessing, item.payload == "\(authorization.forwardAttempts)"
    else { return }
    do {
      let answer = try await room.bank.decide(
        provider, authorization.reference, authorization.state == .confirming,
        .init(
          connectionID: .init(authorization.connection.rawValue),
          originalRequest: String(decoding: decision.body, as: UTF8.self), originalSignature: decision.signature))
      try await parts.writing { [parts] tx in
        guard let current = try processing(id, in: tx) else { return }
        let book = ActionBook(parts: parts)
        try book.move(current, on: .acceptedByBank, by: provider.actor, in: tx)
        if answer.closesAction { try book.close(current.action, by: provider.actor, in: tx) }
      }
    } catch let failure as BankFailure {
      try await parts.writing { [parts] tx in
        guard var current = try processing(id, in: tx), item.payload == "\(current.forwardAttempts)" else { return }
        let delays = parts.policy.forwardDelays
        guard failure == .unavailable, current.forwardAttempts < delays.count else {
          try ActionBook(parts: parts).move(
            current, on: .refusedByBank, by: provider.actor, facts: ["reason": failure.word], in: tx)
          return
        }
        let pause = delays[current.forwardAttempts]
        current.forwardAttempts += 1
        try AuthorizationStore(tx, vault: parts.vault).save(current)
        try parts.outbox.enqueue(
          item.topic, subject: item.subject, payload: "\(current.forwardAttempts)", dueAt: parts.world.now() + pause,
          in: tx)
      }
    }
  }

  private func processing(_ id: SaltEdgeAuthorization.ID, in tx: any SQLTransaction) throws -> SaltEdgeAuthorization? {
    try AuthorizationStore(tx, vault: parts.vault).find(id).flatMap { $0.isProcessing ? $0 : nil }
  }

  private func tellRevocation(_ item: OutboxItem) async throws {
    let id = SaltEdgeConnection.ID(rawValue: item.subject)
    let provider = try await parts.database.read { [parts] tx in
      try ConnectionStore(tx, vault: parts.vault).find(id).flatMap {
        // In v1 the bank is this house.
        $0.apiVersion == 2 ? try ProviderStore(tx, vault: parts.vault).find($0.provider) : nil
      }
    }
    guard let provider else { return }
    try await told { try await room.bank.revokeConnection(provider, id) }
  }

  private func tellConsentRevocation(_ item: OutboxItem) async throws {
    let provider = try await parts.database.read { [parts] tx in
      try ProviderStore(tx, vault: parts.vault).find(.init(rawValue: item.subject))
    }
    guard let provider else { return }
    try await told { try await room.bank.revokeConsent(provider, item.payload) }
  }

  /// A bank that refuses knows already: one of the public ones fails when it is told twice.
  private func told(_ tell: () async throws -> Void) async throws {
    do { try await tell() } catch BankFailure.refused {}
  }
}

extension SaltEdgeAuthorization {
  /// Whether the bank has to answer still.
  var isProcessing: Bool { state == .confirming || state == .denying }
}
