// SPDX-License-Identifier: Apache-2.0

import Delivery
import Kit
import Storage

/// Pushes to devices that something happened. A push that does not arrive does no harm: apps ask by themselves.
package struct PushNotices: Sendable {
  static let topic = "finaptic.push"
  /// Pauses before another try.
  static let delays: [Duration] = [.seconds(10), .minutes(1), .minutes(10)]
  /// After that a push is no longer delivered.
  static let lifetime = Duration.hours(24)

  /// What a push is about. Only ids: the rest is looked up when it is sent.
  package enum Subject: Sendable, Equatable {
    /// A transaction on an account, and the id of the event that it is.
    case transaction(BankTransaction.ID, on: BankAccount.ID, event: String)
    /// What an agent wrote.
    case message(String, thread: String)
    /// Terms of an account change, or a change that was announced does not come.
    case terms(TermsChange.ID, on: BankAccount.ID, TermsNotice.Kind)

    var words: [String] {
      switch self {
      case .transaction(let id, let account, let event): ["transaction", id.rawValue, account.rawValue, event]
      case .message(let id, let thread): ["message", id, thread, "-"]
      case .terms(let id, let account, let kind): ["terms", id.rawValue, account.rawValue, kind.rawValue]
      }
    }

    init?(_ words: [String]) {
      guard words.count == 4 else { return nil }
      switch words[0] {
      case "transaction":
        self = .transaction(.init(rawValue: words[1]), on: .init(rawValue: words[2]), event: words[3])
      case "message": self = .message(words[1], thread: words[2])
      case "terms":
        guard let kind = TermsNotice.Kind(rawValue: words[3]) else { return nil }
        self = .terms(.init(rawValue: words[1]), on: .init(rawValue: words[2]), kind)
      default: return nil
      }
    }
  }

  let core: CoreDependencies
  let push: PushGateway
  let texts: MessageTexts

  /// Enqueues a push to every device of a customer.
  package static func owe(
    _ subject: Subject, to customer: String, tenant: Int, vault: Vault, outbox: Outbox, in tx: any SQLTransaction
  ) throws {
    let ids = try PushChannelStore(tx, vault: vault).ids(
      of: customer, tenant: tenant, limit: ChannelCommands.devicesMax)
    for id in ids {
      try outbox.enqueue(
        topic, subject: id.rawValue, payload: (subject.words + ["0"]).joined(separator: " "), in: tx)
    }
  }

  @Sendable
  func deliver(_ item: OutboxItem) async throws {
    let words = item.payload.split(separator: " ").map(String.init)
    guard let attempt = words.last.flatMap({ Int($0) }), let subject = Subject(words.dropLast()) else {
      throw Unreadable()
    }
    let channel = PushChannel.ID(rawValue: item.subject)
    let expiresAt = item.enqueuedAt + Self.lifetime
    guard core.world.now() < expiresAt,
      let message = try await core.database.read({ try message(subject, channel, expiresAt, in: $0) })
    else { return }
    do {
      switch try await push.send(message) {
      case .accepted, .noService: return
      case .tokenGone: try await forget(channel)
      case .tokenRefused: try await give(up: channel, "tokenRefused")
      }
    } catch is MessageRefused { try await give(up: channel, "refused") } catch is MessageUndelivered {
      guard attempt < Self.delays.count else { return try await give(up: channel, "undelivered") }
      let payload = (subject.words + ["\(attempt + 1)"]).joined(separator: " ")
      let dueAt = core.world.now() + Self.delays[attempt]
      try await core.database.write(retrying: .outdated) {
        try core.outbox.enqueue(Self.topic, subject: channel.rawValue, payload: payload, dueAt: dueAt, in: $0)
      }
    }
  }

  /// Nil when the device or what it is about is gone.
  private func message(
    _ subject: Subject, _ id: PushChannel.ID, _ expiresAt: Instant, in tx: any SQLTransaction
  ) throws -> PushMessage? {
    guard let channel = try PushChannelStore(tx, vault: core.vault).find(id),
      let tenant = try TenantStore(tx).find(channel.tenant)
    else { return nil }
    let locale = try ClientProfileStore(tx, vault: core.vault).locale(of: channel.customer)
    let (notice, data, name): (Notice, [String: PushMessage.Datum], String)
    switch subject {
    case .transaction(let transaction, let account, let event):
      let legs = try BankTransactionStore(tx, vault: core.vault).legs(of: transaction, tenant: channel.tenant)
      guard let leg = legs.first(where: { $0.account == account }) else { return nil }
      (notice, data, name) = (.transactionCreated, TransactionPush.data(leg), event)
    case .message(let message, let thread):
      notice = .messageReceived
      data = ["eventType": .text("ChatMessageEvent"), "contactId": .text(thread), "messageId": .text(message)]
      // One of a thread: what was written later takes its place.
      name = thread
    case .terms(let change, let account, let kind):
      // The mail has the terms: a push is no durable medium, and stands on locked screens.
      let (words, language) = TermsTexts.of(locale)
      var message = PushMessage(
        channel.platform, to: channel.registration, title: tenant.name, body: words.title,
        data: [
          "eventType": .text("TermsChangeEvent"), "accountId": .text(account.rawValue),
          "changeId": .text(change.rawValue), "kind": .text(kind.rawValue),
        ], name: "terms-\(change)", expiresAt: expiresAt, locale: language)
      (message.place, message.about) = (.top, channel.customer)
      return message
    }
    let words = try texts.of(tenant: channel.tenant).message(
      notice, by: .push, to: channel.platform.rawValue, from: tenant.name,
      locale: locale)
    var message = PushMessage(
      channel.platform, to: channel.registration, title: words.subject ?? tenant.name, body: words.body, data: data,
      name: name, expiresAt: expiresAt, locale: words.locale)
    (message.place, message.about) = (.top, channel.customer)
    return message
  }

  private func forget(_ id: PushChannel.ID) async throws {
    try await core.database.write(retrying: .outdated) { tx in
      let store = PushChannelStore(tx, vault: core.vault)
      guard let channel = try store.find(id), try store.delete(id) else { return }
      try core.note("channel.gone", channel.customer, by: "system", in: tx)
    }
  }

  private func give(up id: PushChannel.ID, _ reason: String) async throws {
    try await core.database.write(retrying: .outdated) { tx in
      guard let channel = try PushChannelStore(tx, vault: core.vault).find(id) else { return }
      try core.note("channel.notPushed", channel.customer, by: "system", ["reason": reason], in: tx)
    }
  }

  struct Unreadable: FinalFailure {}
}
