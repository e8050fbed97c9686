import Foundation
import Kit
import Storage

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
    case disabled
  }

  /// Posts one delivery. A crash between the answer and the row that keeps it posts it again, by the same id.
  @Sendable
  func deliver(_ item: OutboxItem) async throws {
    let found = try await database.read { [self] tx -> Post? in
      let (store, endpoints) = (WebhookDeliveryStore(tx, vault: vault), WebhookEndpointStore(tx, vault: vault))
      guard let row = try store.find(.init(rawValue: item.subject)), row.delivery.state == .pending,
        item.payload == "\(row.turn)", let endpoint = try endpoints.find(row.delivery.endpoint),
        let body = try store.body(of: row.message)
      else { return nil }
      return Post(
        row: row, endpoint: endpoint, secrets: try endpoints.secrets(of: endpoint.id, at: world.now()), body: body)
    }
    // Ended, sent again or forgotten since.
    guard let post = found else { return }
    guard post.endpoint.disabledAt == nil else { return try await end(post, .disabled) }
    // Nothing leaves unsigned.
    guard !post.secrets.isEmpty else { return try await end(post, .failed(.misconfigured)) }
    guard turns.begin(post.endpoint.id) else { return try await wait(item) }
    let ending: Ending
    do {
      defer { turns.end(post.endpoint.id) }
      ending = .answered(try await http.send(call(post)).status)
    } catch PeerHTTP.Failure.crowded { return try await wait(item) } catch let failure as PeerHTTP.Failure {
      ending = .failed(failure)
    }
    try await end(post, ending)
  }

  private func call(_ post: Post) -> PeerHTTP.Call {
    let fields = WebhookSecret.fields(
      post.secrets, id: post.row.delivery.name, seconds: world.now().seconds, body: post.body)
    return PeerHTTP.Call(
      "POST", post.endpoint.url,
      headers: fields.merging(["Content-Type": "application/json", "Accept": "application/json"]) { one, _ in one },
      body: post.body)
  }

  /// There is no room right now: the same try, a little later. It was not made, so it does not count.
  private func wait(_ item: OutboxItem) async throws {
    // Spread, so that many who wait for one endpoint do not come at once.
    let pause = policy.turnPause * (1 + Int(world.number(below: 4)))
    try await database.write { [self] tx in
      try outbox.enqueue(
        item.topic, subject: item.subject, payload: item.payload, dueAt: world.now() + pause, in: tx)
    }
  }

  private func end(_ post: Post, _ ending: Ending) async throws {
    try await database.write { [self] tx in
      let (row, now) = (post.row, world.now())
      let attempt = attempt(ending, after: row.delivery.tries, at: now)
      let store = WebhookDeliveryStore(tx, vault: vault)
      guard try store.update(row.delivery.id, turn: row.turn, to: attempt) else { return }
      if let dueAt = attempt.dueAt {
        try outbox.enqueue(
          Self.topic, subject: row.delivery.id.rawValue, payload: "\(row.turn + 1)", dueAt: dueAt, in: tx)
      }
      if case .answered(410) = ending,
        try WebhookEndpointStore(tx, vault: vault).disable(post.endpoint.id, at: now)
      {
        try note("disabled", post.endpoint.id, by: "system", ["reason": "gone"], in: tx)
      }
    }
  }

  private func attempt(_ ending: Ending, after before: Int, at now: Instant) -> WebhookAttempt {
    let (tries, state, status, error): (Int, WebhookDelivery.State, Int?, String?) =
      switch ending {
      case .disabled: (before, .failed, nil, "disabled")
      case .answered(let status) where (200...299).contains(status): (before + 1, .delivered, status, nil)
      case .answered(410): (before + 1, .failed, 410, "gone")
      case .answered(let status): (before + 1, .pending, status, "refused")
      // Repeating these changes nothing, and must not make a scanner of us.
      case .failed(.forbidden): (before + 1, .failed, nil, "forbidden")
      case .failed(.misconfigured): (before + 1, .failed, nil, "misconfigured")
      case .failed(let failure): (before + 1, .pending, nil, failure.word)
      }
    guard state == .pending else {
      return WebhookAttempt(state: state, tries: tries, status: status, error: error, at: now, dueAt: nil)
    }
    guard let pause = policy.pause(after: tries) else {
      return WebhookAttempt(state: .failed, tries: tries, status: status, error: error, at: now, dueAt: nil)
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
