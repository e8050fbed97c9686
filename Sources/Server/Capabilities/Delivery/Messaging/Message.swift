// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// One text on its way to one person.
package struct Message: Sendable, Codable, Equatable {
  package enum Channel: String, Sendable, Codable, CaseIterable {
    case sms, email, push
    /// A line of the system in a conversation. It is shown there, not sent.
    case chat
  }

  package let channel: Channel
  /// E.164 number or e-mail address; of a push the platform.
  package let recipient: String
  /// Nil for SMS; of a push its title; of a line in a conversation who is said to speak.
  package let subject: String?
  /// Plain text; lines end in LF.
  package let body: String
  /// BCP 47, as in `en`, `fr` or `ar`.
  package let locale: String
  /// Names the message to the gateway that delivers it, the same in every repetition, so that it can drop one; nil is a
  /// new name each time.
  package var id: String?
  /// Id of the customer whom it is about; for the server's own records, never sent.
  package var about: String?
  /// Whether it goes to staff, and the customer whom it is about must not learn of it; nil is no. For the server's own
  /// records, never sent.
  package var isForStaff: Bool?
  /// Who pays for it; for the installation's own records, never sent.
  package var tenant: TenantID?
  /// The body as a page, for mail; nil sends the text alone.
  package var html: String?
  /// Which text it was written with, and its version, or the name of a notice that has one text; for the server's own
  /// records, never sent.
  package var template: String?
  /// What the app reads of a push; nil for the other channels.
  package var data: [String: String]?

  package init(_ channel: Channel, to recipient: String, subject: String? = nil, body: String, locale: String) {
    self.channel = channel
    self.recipient = recipient
    self.subject = subject
    self.body = body
    self.locale = locale
  }
}

/// Hands short texts to a service that delivers them. May be asked to send one twice: the outbox repeats.
package struct SMSGateway: Sendable {
  /// - Throws: `MessageRefused` when repeating cannot help, `MessageUndelivered` when it may.
  package let send: @Sendable (Message) async throws -> Void

  package init(send: @escaping @Sendable (Message) async throws -> Void) { self.send = send }
}

/// Hands mail to a server that delivers it. May be asked to send one twice: the outbox repeats.
package struct MailGateway: Sendable {
  /// - Throws: `MessageRefused` when repeating cannot help, `MessageUndelivered` when it may.
  package let send: @Sendable (Message) async throws -> Void

  package init(send: @escaping @Sendable (Message) async throws -> Void) { self.send = send }
}

/// Sends a message by the gateway of its channel.
package struct Messenger: Sendable {
  package let sms: SMSGateway
  package let mail: MailGateway

  package init(sms: SMSGateway, mail: MailGateway) {
    self.sms = sms
    self.mail = mail
  }

  /// Refuses every message: what an installation without gateways goes by.
  package static let absent = Messenger(
    sms: SMSGateway { _ in throw MessageRefused(.misconfigured) },
    mail: MailGateway { _ in throw MessageRefused(.misconfigured) })

  package func send(_ message: Message) async throws {
    switch message.channel {
    case .sms: try await sms.send(message)
    case .email: try await mail.send(message)
    // Goes to a device by its token, over `PushGateway`.
    case .push: throw MessageRefused(.malformed)
    case .chat: throw MessageRefused(.malformed)
    }
  }
}
