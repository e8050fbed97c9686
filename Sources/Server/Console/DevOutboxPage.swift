import Delivery
import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Kit

/// What would have been sent, newest first: for developers, on this machine only.
struct DevOutboxPage: Page {
  static var template: [UInt8] { PackageResources.DevOutboxPage_mustache }

  struct Row {
    let channel: String
    let recipient: String
    let subject: String?
    let body: String
    /// What the app reads of a push, a line each.
    let data: [String]
    let sentAt: String
  }

  let rows: [Row]
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
    try requireLocal(request, context)
    return try DevOutboxPage(
      rows: await outbox.list().map {
        .init(
          channel: $0.message.channel.rawValue, recipient: $0.message.recipient, subject: $0.message.subject,
          body: $0.message.body, data: ($0.message.data ?? [:]).sorted { $0.key < $1.key }.map { "\($0): \($1)" },
          sentAt: $0.sentAt.rfc3339)
      }
    ).response()
  }

  @Sendable
  func list(_ request: Request, _ context: PublicContext) async throws -> Response {
    try requireLocal(request, context)
    let list = DevOutboxList(
      messages: try await outbox.list().map {
        .init(
          id: $0.id.rawValue, channel: $0.message.channel.rawValue, to: $0.message.recipient,
          subject: $0.message.subject, body: $0.message.body, locale: $0.message.locale,
          data: $0.message.data, sentAt: $0.sentAt.rfc3339)
      })
    return try Response.json(list)
  }

  /// The messages hold live codes: they are shown to this machine only, whatever the server listens on.
  private func requireLocal(_ request: Request, _ context: PublicContext) throws {
    // A page from elsewhere whose name resolves to this machine names its own host.
    let host = (request.head.authority ?? "localhost").lowercased()
    guard ["localhost", "127.0.0.1", "[::1]"].contains(where: { host == $0 || host.hasPrefix($0 + ":") }) else {
      throw Problem.notFound
    }
    guard let address = context.clientAddress else { return }
    guard address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.") else {
      throw Problem.notFound
    }
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
