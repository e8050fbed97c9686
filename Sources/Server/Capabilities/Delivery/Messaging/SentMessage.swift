// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// That a text or a mail was sent to a customer, and what became of it. What it said is not kept: it may hold a code or
/// a link.
package struct SentMessage: Sendable, Equatable {
  package typealias ID = Identifier<SentMessage>

  package enum State: String, Sendable, CaseIterable, SQLConvertible {
    /// The gateway took it, at any of the attempts. Whether it reached the phone or the mailbox, a gateway does not
    /// tell.
    case accepted
    /// The gateway did not take it; while its effect is owed, it is sent again.
    case failed
    /// It was refused for good.
    case refused
  }

  package let id: ID
  package let channel: Message.Channel
  /// Which notice, as in `confirm-contact`.
  package let kind: String
  /// BCP 47.
  package let language: String
  /// E-mail address or number, masked.
  package let recipient: String
  package let state: State
  package let attempts: Int
  package let firstAt: Instant
  /// Of the last attempt.
  package let lastAt: Instant
}

/// The same for the person it was sent to.
package struct ExportedMessage: Encodable, Sendable, Equatable {
  let channel: String
  let kind: String
  let language: String
  /// Masked.
  let recipient: String
  let state: String
  /// RFC 3339 in UTC.
  let sentAt: String

  package init(_ message: SentMessage) {
    (channel, kind, language) = (message.channel.rawValue, message.kind, message.language)
    (recipient, state, sentAt) = (message.recipient, message.state.rawValue, message.lastAt.rfc3339)
  }
}

extension Message {
  /// Which notice it is: of the name of its text the part before the channel, without the tenant whose words it has.
  /// Nil for what is written to no customer.
  var kind: String? {
    guard about != nil, let name = template?.split(separator: "/").last else { return nil }
    return name.split(separator: ".").first.map(String.init)
  }

  /// The recipient as staff may read it.
  var maskedRecipient: String {
    switch channel {
    case .email: EmailAddress(recipient)?.masked ?? "…"
    case .sms: PhoneNumber(recipient)?.masked ?? "…"
    case .push, .chat: "…"
    }
  }
}
