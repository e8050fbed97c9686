// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// An endpoint is called in turns. What is owed to it waits as rows, not as effects: an effect only says *look at this
/// endpoint*.
///
/// 1. An effect takes one of the endpoint's few turns, or none is free and it ends: the effects that have them look
///    again.
/// 2. In its turn it posts what is due, one after another, until nothing is, or its share is used up.
/// 3. After a few tries without an answer the endpoint rests, and what is owed to it with it; then one try shows
///    whether it is there again. Only what is tried counts as a try.
extension Webhooks {
  /// What a try posts, and where.
  private struct Post: Sendable {
    let row: WebhookDeliveryStore.Row
    let endpoint: WebhookEndpoint
    let secrets: [WebhookSecret]
    let body: Data
  }

  /// How a try ended.
  private enum Ending {
    case answered(Int)
    case failed(PeerHTTP.Failure)
    /// What is to be posted does not open, here and now.
    case unreadable

    /// Whether the cause is the endpoint and not this message: other messages would fail as well.
    var isSilence: Bool {
      switch self {
      case .answered(let status): status >= 500 || status == 408 || status == 429
      case .failed(.forbidden), .failed(.misconfigured), .unreadable: false
      case .failed: true
      }
    }
  }

  /// A crash between the answer and the row that keeps it posts it again, by the same id.
  @Sendable
  func deliver(_ item: OutboxItem) async throws {
    let (id, begun) = (WebhookEndpoint.ID(rawValue: item.subject), world.now())
    var next = try await database.write(.readCommitted) { [self] in try take(id, for: item, in: $0) }
    var left = policy.turnShare
    while let post = next {
      let ending = try await answer(post)
      left -= 1
      let goesOn = left > 0 && world.now() - begun < policy.turnLength
      next = try await database.write(.readCommitted) { [self] tx in
        guard let ending else {
          try WebhookDeliveryStore(tx, vault: vault).putBack(post.row, by: item.id)
          try owe(id, at: world.now() + policy.crowdedPause, in: tx)
          return nil
        }
        try end(post, ending, for: item, in: tx)
        if goesOn { return try take(id, for: item, in: tx) }
        try owe(id, in: tx)
        return nil
      }
    }
  }

  /// Has an endpoint looked at.
  func owe(_ id: WebhookEndpoint.ID, at dueAt: Instant? = nil, in tx: any SQLTransaction) throws {
    try outbox.enqueue(Self.topic, subject: id.rawValue, dueAt: dueAt, in: tx)
  }

  /// Nil when there is no turn to have, or nothing to do in it.
  private func take(_ id: WebhookEndpoint.ID, for item: OutboxItem, in tx: any SQLTransaction) throws -> Post? {
    let (store, endpoints) = (WebhookDeliveryStore(tx, vault: vault), WebhookEndpointStore(tx, vault: vault))
    guard try endpoints.find(id) != nil else { return nil }
    let (pace, now) = (try WebhookTurnStore(tx).lock(id), world.now())
    // The row is read again, because the transaction that held it may have changed it.
    guard let endpoint = try endpoints.find(id) else { return nil }
    guard endpoint.disabledAt == nil else {
      let max = policy.givenUpMax
      if try store.giveUp(id, opened: nil, "disabled", limit: max) == max { try owe(id, in: tx) }
      return nil
    }
    func next() throws -> WebhookDeliveryStore.Row? {
      if let own = try store.taken(from: id, by: item.id) { return own }
      let isResting = pace.resumesAt.map { now < $0 } ?? false
      let turns = pace.failures < policy.failuresMax ? policy.turnsMax : 1
      guard !isResting, try store.holders(of: id).count < turns else { return nil }
      return try store.take(from: id, by: item.id, at: now)
    }
    for _ in 0..<max(policy.turnShare, 1) {
      guard let row = try next() else { return nil }
      if let body = try store.body(of: row.message) {
        return Post(row: row, endpoint: endpoint, secrets: try endpoints.secrets(of: id, at: now), body: body)
      }
      // It waits as if it had been tried, and holds up none of the others.
      let attempt = attempt(.unreadable, after: row.delivery.tries, at: now)
      guard try store.update(row, by: item.id, to: attempt) else { return nil }
      if let dueAt = attempt.dueAt { try owe(id, at: dueAt, in: tx) }
    }
    try owe(id, in: tx)
    return nil
  }

  /// Nil when there is no room to send anything from this process: the try was not made.
  private func answer(_ post: Post) async throws -> Ending? {
    // Nothing leaves unsigned.
    guard !post.secrets.isEmpty else { return .failed(.misconfigured) }
    let fields = WebhookSecret.fields(
      post.secrets, id: post.row.delivery.name, seconds: world.wall().seconds, body: post.body)
    let call = PeerHTTP.Call(
      "POST", post.endpoint.url,
      headers: fields.merging(["Content-Type": "application/json", "Accept": "application/json"]) { one, _ in one },
      body: post.body)
    do {
      return .answered(try await (post.endpoint.isOwn ? ownHTTP : http).send(call).status)
    } catch PeerHTTP.Failure.crowded { return nil } catch let failure as PeerHTTP.Failure { return .failed(failure) }
  }

  private func end(_ post: Post, _ ending: Ending, for item: OutboxItem, in tx: any SQLTransaction) throws {
    let (id, now) = (post.endpoint.id, world.now())
    let (store, turns) = (WebhookDeliveryStore(tx, vault: vault), WebhookTurnStore(tx))
    let pace = try turns.lock(id)
    let attempt = attempt(ending, after: post.row.delivery.tries, at: now)
    guard try store.update(post.row, by: item.id, to: attempt) else { return }
    if let dueAt = attempt.dueAt { try owe(id, at: dueAt, in: tx) }
    if case .answered(410) = ending, !post.endpoint.outlivesGone,
      try WebhookEndpointStore(tx, vault: vault).disable(id, at: now)
    {
      try note("disabled", id, by: "system", ["reason": "gone"], in: tx)
    }
    if ending.isSilence {
      // Of several that fail at once, one counts.
      guard pace.resumesAt.map({ $0 <= now }) ?? true else { return }
      let resumesAt = policy.rest(after: pace.failures + 1).map { now + $0 }
      try turns.save(id, failures: pace.failures + 1, resumesAt: resumesAt)
      guard let resumesAt else { return }
      _ = try store.giveUp(id, opened: now - policy.life, "expired", limit: policy.givenUpMax)
      try owe(id, at: resumesAt, in: tx)
    } else if pace.failures > 0 {
      try turns.save(id, failures: 0, resumesAt: nil)
      // All turns are to be had again: those who could have taken them have ended.
      for _ in 1..<max(policy.turnsMax, 1) { try owe(id, in: tx) }
    }
  }

  private func attempt(_ ending: Ending, after before: Int, at now: Instant) -> WebhookAttempt {
    let (state, status, error): (WebhookDelivery.State, Int?, String?) =
      switch ending {
      case .answered(let status) where (200...299).contains(status): (.delivered, status, nil)
      case .answered(410): (.failed, 410, "gone")
      case .answered(let status): (.pending, status, "refused")
      // Repeating these changes nothing, and must not make a scanner of us.
      case .failed(.forbidden): (.failed, nil, "forbidden")
      case .failed(.misconfigured): (.failed, nil, "misconfigured")
      case .failed(let failure): (.pending, nil, failure.word)
      case .unreadable: (.pending, nil, "unreadable")
      }
    let tries = before + 1
    guard state == .pending, let pause = policy.pause(after: tries) else {
      return WebhookAttempt(
        state: state == .pending ? .failed : state, tries: tries, status: status, error: error, at: now, dueAt: nil)
    }
    // Shortened by up to a tenth, so that what failed together does not come back together.
    let shortened = pause - pause * Int(world.number(below: 100)) / 1000
    return WebhookAttempt(
      state: .pending, tries: tries, status: status, error: error, at: now, dueAt: now + shortened)
  }
}

extension PeerHTTP.Failure {
  /// As logs name it.
  var word: String {
    switch self {
    case .unreachable: "unreachable"
    case .timedOut: "timed-out"
    case .tls: "tls"
    case .crowded: "crowded"
    case .misconfigured: "misconfigured"
    case .forbidden: "forbidden"
    case .failed: "failed"
    }
  }
}

extension WebhookSecret {
  /// As with one secret, and a signature of each, so that a receiver may know either.
  static func fields(_ secrets: [WebhookSecret], id: String, seconds: Int64, body: Data) -> [String: String] {
    let all = secrets.map { $0.fields(id: id, seconds: seconds, body: body) }
    guard var fields = all.first else { return [:] }
    fields["webhook-signature"] = all.compactMap { $0["webhook-signature"] }.joined(separator: " ")
    return fields
  }
}
