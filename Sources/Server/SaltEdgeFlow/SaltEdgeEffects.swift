// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import SaltEdgeWire
import Storage

/// What the worker does for this service. Every effect is idempotent.
package struct SaltEdgeEffects: Sendable {
  private static let clockSkewMax = Duration.minutes(5)

  private let service: SaltEdgeService
  private let bankWebhooks: ProviderWebhooks
  private let notices: PushNotices
  private var core: CoreDependencies { service.core }
  private var policy: SaltEdgePolicy { service.policy }

  /// - Parameters:
  ///   - webhooks: brings banks what happened.
  ///   - push: the service that delivers notifications to devices.
  package init(_ service: SaltEdgeService, webhooks: Webhooks, push: PushGateway) {
    self.service = service
    bankWebhooks = ProviderWebhooks(core: service.core, webhooks: webhooks)
    notices = PushNotices(core: service.core, policy: service.policy, push: push)
  }

  package var handlers: [String: OutboxWorker.Handler] {
    [
      "saltedge.\(AuthorizationEffect.forwardDecision.rawValue)": forwardDecision,
      "saltedge.\(ConnectionEffect.tellRevocation.rawValue)": tellRevocation,
      "saltedge.\(ConsentEffect.tellConsentRevocation.rawValue)": tellConsentRevocation,
      "saltedge.\(OperationEffect.notifyProvider.rawValue)": bankWebhooks.notify,
      PushNotices.topic: notices.notify,
    ]
  }

  /// What time ends, each under its name. One that fails keeps no other from its turn.
  package var jobs: [ScheduledJob] {
    let (actions, operations) = (ActionService(core: core), OperationService(core: core))
    let connections = ConnectionService(core: core, policy: policy)
    let retention = RetentionSweep(core: core, policy: policy)
    return [
      ScheduledJob("lapsed-saltedge-connections") { try await connections.sweepLapsed() },
      ScheduledJob("overdue-saltedge-authorizations") { try await actions.sweepOverdue() },
      ScheduledJob("unanswered-saltedge-authorizations") { [policy] in
        try await actions.sweepUnanswered(after: policy.answerWaitMax)
      },
      ScheduledJob("offered-saltedge-operations") { try await operations.sweepOverdue(.offered) },
      ScheduledJob("pending-saltedge-operations") { try await operations.sweepOverdue(.pending) },
      ScheduledJob("old-saltedge-rows") { try await retention.sweep() },
      // After what is old is gone: a bank is not told of an expiry from before the retention.
      ScheduledJob("expired-saltedge-connections") { try await connections.sweepExpired() },
    ]
  }

  /// Forgets what would not count any more.
  package func sweepMemory() async throws {
    let now = core.world.now()
    // Later than by this node's clock: another one's may be behind. What was signed expires by the machine's time.
    let horizon = core.world.wall() - Self.clockSkewMax
    try await core.database.sweep { try SpentStore.sweep(before: horizon, limit: $1, in: $0) }
    try await core.database.sweep { try LinkStore.sweep(before: now, limit: $1, in: $0) }
  }

  /// Hands a decision to the bank as the device signed it, byte for byte. What fails on the way is tried again after
  /// the pauses of the policy; then, and when the bank refuses, the authorization has failed (§5.7, §16).
  private func forwardDecision(_ item: OutboxItem) async throws {
    let id = SaltEdgeAuthorization.ID(rawValue: item.subject)
    let found = try await core.database.read { [core] tx in
      try AuthorizationStore(tx, vault: core.vault).find(id).map { authorization in
        (authorization, try ProviderStore(tx, vault: core.vault).find(authorization.provider))
      }
    }
    // An earlier attempt came to its end after all, or another row owes the next one.
    guard let (authorization, provider) = found, let provider, let decision = authorization.decision,
      authorization.isProcessing, item.payload == "\(authorization.forwardAttempts)"
    else { return }
    do {
      let answer = try await service.bank.decide(
        provider, authorization.reference, authorization.state == .confirming,
        .init(
          connectionID: .init(authorization.connection.rawValue),
          originalRequest: String(decoding: decision.body, as: UTF8.self), originalSignature: decision.signature))
      try await core.database.write(retrying: .outdated) { [core] tx in
        guard let current = try processing(id, in: tx) else { return }
        let actions = ActionService(core: core)
        try actions.move(current, on: .acceptedByBank, by: provider.actor, in: tx)
        if answer.closesAction { try actions.close(after: current, by: provider.actor, in: tx) }
      }
    } catch let failure as BankFailure {
      try await core.database.write(retrying: .outdated) { [core] tx in
        guard var current = try processing(id, in: tx), item.payload == "\(current.forwardAttempts)" else { return }
        if failure == .crowded {
          return try core.outbox.enqueue(
            item.topic, subject: item.subject, payload: item.payload,
            dueAt: core.world.now() + policy.crowdedPause, in: tx)
        }
        let delays = policy.forwardDelays
        guard failure == .unavailable, current.forwardAttempts < delays.count else {
          // What a bank did before its answer was lost, it does not find to do again.
          let wasTried = current.forwardAttempts > 0 || item.attempts > 0
          try ActionService(core: core).move(
            current, on: wasTried && failure.saysItIsOver ? .outcomeLost : .refusedByBank, by: provider.actor,
            facts: ["reason": failure.word], in: tx)
          return
        }
        let pause = delays[current.forwardAttempts]
        current.forwardAttempts += 1
        try AuthorizationStore(tx, vault: core.vault).save(current)
        try core.outbox.enqueue(
          item.topic, subject: item.subject, payload: "\(current.forwardAttempts)", dueAt: core.world.now() + pause,
          in: tx)
      }
    }
  }

  private func processing(_ id: SaltEdgeAuthorization.ID, in tx: any SQLTransaction) throws -> SaltEdgeAuthorization? {
    try AuthorizationStore(tx, vault: core.vault).find(id).flatMap { $0.isProcessing ? $0 : nil }
  }

  private func tellRevocation(_ item: OutboxItem) async throws {
    let id = SaltEdgeConnection.ID(rawValue: item.subject)
    let provider = try await core.database.read { [core] tx in
      try ConnectionStore(tx, vault: core.vault).find(id).flatMap {
        try ProviderStore(tx, vault: core.vault).find($0.provider)
      }
    }
    guard let provider else { return }
    guard provider.kind == .remote else { return try await bankWebhooks.connectionRevoked(id, at: item.enqueuedAt) }
    try await told(provider, ["connection": id.rawValue], isFirst: item.attempts == 0) {
      try await service.bank.revokeConnection(provider, id)
    }
  }

  private func tellConsentRevocation(_ item: OutboxItem) async throws {
    let provider = try await core.database.read { [core] tx in
      try ProviderStore(tx, vault: core.vault).find(.init(rawValue: item.subject))
    }
    guard let provider else { return }
    guard provider.kind == .remote else {
      return try await bankWebhooks.consentRevoked(item.payload, of: provider.id, at: item.enqueuedAt)
    }
    try await told(provider, ["consent": item.payload], isFirst: item.attempts == 0) {
      try await service.bank.revokeConsent(provider, item.payload)
    }
  }

  /// A bank that knows of nothing to revoke knows already. Any other refusal (a key that is not installed, a clock that
  /// is wrong) leaves a trace at the first attempt, and the outbox tries again.
  private func told(
    _ provider: SaltEdgeProvider, _ facts: [String: String], isFirst: Bool, _ tell: () async throws -> Void
  ) async throws {
    do { try await tell() } catch let failure as BankFailure {
      if failure.saysItIsGone { return }
      if case .refused = failure, isFirst {
        try await core.database.write(retrying: .outdated) { [core] tx in
          try core.audit.append(
            "saltedge.provider.revocationRefused", to: "saltedge-provider-\(provider.id)", by: provider.actor,
            facts: facts.merging(["reason": failure.word]) { given, _ in given }, in: tx)
        }
      }
      throw failure
    }
  }
}

extension SaltEdgeAuthorization {
  /// Whether the bank has to answer still.
  var isProcessing: Bool { state == .confirming || state == .denying }
}
