// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Kit

/// What would have been sent, newest first: for developers, on this machine only.
struct DevOutboxPage: Page {
  static var template: [UInt8] { PackageResources.DevOutboxPage_mustache }
  static var onlyLanguage: Language? { .english }

  /// A piece of a message: words, or an address that can be followed.
  struct Piece {
    let text: String?
    let link: String?
  }

  struct Row {
    let channel: String
    let recipient: String
    let subject: String?
    let body: [Piece]
    /// What the app reads of a push, a line each.
    let data: [String]
    let sentAt: String
  }

  let rows: [Row]

  /// Addresses of web pages become links, on a page that only this machine sees.
  static func pieces(_ body: String) -> [Piece] {
    var (pieces, rest) = ([Piece](), body[...])
    while let match = rest.firstMatch(of: #/https?:\/\/[^\s<>"]*[^\s<>".,;:!?)]/#) {
      if match.range.lowerBound > rest.startIndex {
        pieces.append(Piece(text: String(rest[..<match.range.lowerBound]), link: nil))
      }
      pieces.append(Piece(text: nil, link: String(match.output)))
      rest = rest[match.range.upperBound...]
    }
    return rest.isEmpty ? pieces : pieces + [Piece(text: String(rest), link: nil)]
  }
}

/// `/dev/outbox`, `/dev/outbox.json`
package struct DevOutboxRoutes: Sendable {
  let outbox: DevOutbox

  package init(outbox: DevOutbox) { self.outbox = outbox }

  package func add(to group: RouterGroup<PublicContext>) {
    group.get("dev/outbox", use: page)
    group.get("dev/outbox.json", use: list)
  }

  @Sendable
  func page(_ request: Request, _ context: PublicContext) async throws -> Response {
    try LocalClient.require(request, context)
    return try DevOutboxPage(
      rows: await outbox.list().map {
        .init(
          channel: $0.message.channel.rawValue, recipient: $0.message.recipient, subject: $0.message.subject,
          body: DevOutboxPage.pieces($0.message.body),
          data: ($0.message.data ?? [:]).sorted { $0.key < $1.key }.map { "\($0): \($1)" },
          sentAt: $0.sentAt.rfc3339)
      }
    ).response()
  }

  @Sendable
  func list(_ request: Request, _ context: PublicContext) async throws -> Response {
    try LocalClient.require(request, context)
    let list = DevOutboxList(
      messages: try await outbox.list().map {
        .init(
          id: $0.id.rawValue, channel: $0.message.channel.rawValue, to: $0.message.recipient,
          subject: $0.message.subject, body: $0.message.body, locale: $0.message.locale,
          data: $0.message.data, sentAt: $0.sentAt.rfc3339)
      })
    return try Response.json(list)
  }
}

struct DevOutboxList: Encodable {
  struct Entry: Encodable {
    let id: String
    let channel: String
    let to: String
    let subject: String?
    let body: String
    let locale: String
    /// What the app reads of a push.
    let data: [String: String]?
    let sentAt: String

    enum CodingKeys: String, CodingKey {
      case id, channel, to, subject, body, locale, data
      case sentAt = "sent_at"
    }
  }

  let messages: [Entry]
}
