// SPDX-License-Identifier: Apache-2.0

import Delivery
import Kit
import Storage

/// Tells devices that something waits for their customer (saltedge-authenticator §9.2). Whatever becomes of it, the
/// authorization stays as it is: devices ask by themselves.
struct PushNotices: Sendable {
  static let topic = "saltedge.notifyDevice"

  let core: CoreDependencies
  let policy: SaltEdgePolicy
  let push: PushGateway

  /// One attempt at notifying one device.
  private struct Attempt {
    let connection: SaltEdgeConnection.ID
    let number: Int

    var payload: String { "\(connection) \(number)" }

    init(_ connection: SaltEdgeConnection.ID, _ number: Int) { (self.connection, self.number) = (connection, number) }

    init?(_ payload: String) {
      let parts = payload.split(separator: " ")
      guard parts.count == 2, let number = Int(parts[1]) else { return nil }
      self.init(.init(rawValue: String(parts[0])), number)
    }
  }

  /// What a device is to be told.
  private struct Notice: Sendable {
    let connection: SaltEdgeConnection
    let bank: String
    let expiresAt: Instant
  }

  /// Owes a device a notification; nothing to one that cannot be notified.
  /// - Parameter authorization: as the device knows it.
  static func owe(
    _ authorization: String, to connection: SaltEdgeConnection, _ core: CoreDependencies, in tx: any SQLTransaction
  ) throws {
    guard connection.secrets.pushToken != nil, connection.pushPlatform != nil else { return }
    try core.outbox.enqueue(topic, subject: authorization, payload: Attempt(connection.id, 0).payload, in: tx)
  }

  @Sendable
  func notify(_ item: OutboxItem) async throws {
    guard let attempt = Attempt(item.payload) else { return }
    let found = try await core.database.read { try notice(item.subject, attempt.connection, in: $0) }
    // Decided, withdrawn or expired by now, or the device is gone.
    guard let notice = found, let token = notice.connection.secrets.pushToken,
      let message = message(notice, of: item.subject)
    else { return }
    do {
      switch try await push.send(message) {
      case .accepted, .noService: break
      case .tokenGone: try await forget(token, of: notice.connection.id)
      case .tokenRefused: try await give(up: item.subject, notice.connection.id, "tokenRefused")
      }
    } catch is MessageRefused {
      // Repeating cannot help, and the device asks by itself: nothing is left to do for anybody.
      try await give(up: item.subject, notice.connection.id, "refused")
    } catch is MessageUndelivered {
      guard attempt.number < policy.pushDelays.count else {
        return try await give(up: item.subject, notice.connection.id, "undelivered")
      }
      let next = Attempt(attempt.connection, attempt.number + 1)
      let dueAt = core.world.now() + policy.pushDelays[attempt.number]
      try await core.database.write { [core] in
        try core.outbox.enqueue(Self.topic, subject: item.subject, payload: next.payload, dueAt: dueAt, in: $0)
      }
    }
  }

  /// Nil when nothing waits on the device any more.
  private func notice(
    _ authorization: String, _ id: SaltEdgeConnection.ID, in tx: any SQLTransaction
  ) throws -> Notice? {
    let now = core.world.now()
    guard let connection = try ConnectionStore(tx, vault: core.vault).find(id), connection.isUsable(at: now),
      let provider = try ProviderStore(tx, vault: core.vault).find(connection.provider), provider.suspendedAt == nil
    else { return nil }
    let expiresAt: Instant?
    if connection.apiVersion == 1 {
      let operation = try OperationStore(tx, vault: core.vault).find(.init(rawValue: authorization))
      expiresAt = operation.flatMap {
        $0.state == .pending && $0.userDigest == connection.userDigest ? $0.expiresAt : nil
      }
    } else {
      let found = try AuthorizationStore(tx, vault: core.vault).find(.init(rawValue: authorization))
      expiresAt = found.flatMap { $0.state == .pending && $0.connection == connection.id ? $0.expiresAt : nil }
    }
    guard let expiresAt, expiresAt > now else { return nil }
    return Notice(connection: connection, bank: provider.name, expiresAt: expiresAt)
  }

  /// Ids are texts in v1 and numbers in v2.
  private func message(_ notice: Notice, of authorization: String) -> PushMessage? {
    let connection = notice.connection
    guard let platform = connection.pushPlatform, let token = connection.secrets.pushToken else { return nil }
    let language = connection.secrets.language
    let texts = PushTexts(bank: notice.bank, language: language)
    func datum(_ id: String) -> PushMessage.Datum {
      connection.apiVersion == 1 ? .text(id) : Int64(id).map { .number($0) } ?? .text(id)
    }
    return PushMessage(
      platform, to: token, title: texts.title, body: texts.body,
      data: ["connection_id": datum(connection.id.rawValue), "authorization_id": datum(authorization)],
      name: authorization, expiresAt: notice.expiresAt, locale: PushTexts.locale(language))
  }

  private func give(up authorization: String, _ connection: SaltEdgeConnection.ID, _ reason: String) async throws {
    try await core.database.write { [core] in
      try core.note(
        "authorization.notPushed", connection, by: "system", ["authorization": authorization, "reason": reason], in: $0)
    }
  }

  /// Unless the device has told another one since.
  private func forget(_ token: String, of id: SaltEdgeConnection.ID) async throws {
    try await core.database.write(retrying: .outdated) { [core] tx in
      let store = ConnectionStore(tx, vault: core.vault)
      guard var connection = try store.find(id), connection.secrets.pushToken == token else { return }
      connection.secrets.pushToken = nil
      try store.save(connection, at: core.world.now())
      try core.note("connection.pushTokenForgotten", id, by: "system", in: tx)
    }
  }
}

extension SaltEdgeConnection {
  /// Who delivers to the device; nil for an unknown platform.
  fileprivate var pushPlatform: PushMessage.Platform? { PushMessage.Platform(rawValue: platform.lowercased()) }
}

/// What stands on a locked screen: that something waits, and at which bank. Never what it is about.
struct PushTexts: Sendable {
  let title: String
  let body: String

  private static let languageStandard = "en"

  /// - Parameter language: one of `language(_:)`; nil is English.
  init(bank: String, language: String?) {
    switch language {
    case "ar": (title, body) = ("طلب تأكيد", "يطلب \(bank) تأكيدك. اضغط للعرض.")
    default: (title, body) = ("Confirmation requested", "\(bank) asks you to confirm something. Tap to see it.")
    }
  }

  /// BCP 47.
  static func locale(_ language: String?) -> String { language ?? languageStandard }

  /// The language that a device asks for first (`Accept-Language`, RFC 9110 §12.5.4), if we have it.
  static func language(_ field: String?) -> String? {
    let first = field?.prefix { $0 != "," && $0 != ";" && $0 != "-" }.filter { $0 != " " }.lowercased()
    return first.flatMap { ["en", "ar"].contains($0) ? $0 : nil }
  }
}
