// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// Where a bank or a partner takes what happened to its customers.
package struct WebhookEndpoint: Sendable, Equatable {
  package typealias ID = Identifier<WebhookEndpoint>

  package let id: ID
  package let tenant: TenantID
  package let url: String
  package let events: WebhookEvents
  /// Whether a record of its module says where it is and what signs: it is changed there.
  package let isBound: Bool
  package let createdAt: Instant
  /// Until when messages carry the signature of the secret before this one, too; nil without one.
  package let formerUntil: Instant?
  /// Nil while messages go there.
  package let disabledAt: Instant?
  /// Whether 410 ends one message only, as its system's interface defines.
  package var outlivesGone = false
  /// Whether the operator's settings name it, and not a record in the store: it may be on a private address.
  package var isOwn = false
}

/// Which events an endpoint takes.
package enum WebhookEvents: Sendable, Equatable {
  case all
  case only(Set<String>)

  private static let typesMax = 64

  /// - Parameter types: names of events; none or `*` is all of them.
  /// - Returns: nil when one is no name.
  package init?(_ types: [String]) {
    guard types.count <= Self.typesMax, types.allSatisfy({ Self.isType($0) || $0 == "*" }) else { return nil }
    self = types.isEmpty || types.contains("*") ? .all : .only(Set(types))
  }

  package func takes(_ type: String) -> Bool {
    switch self {
    case .all: true
    case .only(let types): types.contains(type)
    }
  }

  /// Words with spaces between, as they are stored and shown.
  package var text: String {
    switch self {
    case .all: "*"
    case .only(let types): types.sorted().joined(separator: " ")
    }
  }

  /// `CustomerOnboarded`, `membership.status_changed`.
  static func isType(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.wholeMatch(of: /[A-Za-z][A-Za-z0-9._-]*/) != nil
  }
}

/// An event, for the endpoints that take its type.
package struct WebhookMessage: Sendable {
  package typealias ID = Identifier<WebhookMessage>

  package let tenant: TenantID
  /// The same however often it is published or sent: receivers know repetitions by it.
  package let name: String
  package let type: String
  /// What is posted, as JSON.
  package let body: Data
  /// Whom it is about, for an erasure; nil for no person.
  package var about: String?
  /// Under whose key it is sealed, where that is not `about` itself; without a key there it is sealed under a data key.
  package var keySubject: String?

  package init(
    _ type: String, name: String, tenant: TenantID, body: Data, about: String? = nil, keySubject: String? = nil
  ) {
    (self.type, self.name, self.tenant, self.body, self.about) = (type, name, tenant, body, about)
    self.keySubject = keySubject ?? about
  }
}

/// One message on its way to one endpoint, and how that went.
package struct WebhookDelivery: Sendable, Equatable {
  package typealias ID = Identifier<WebhookDelivery>

  package enum State: String, Sendable, CaseIterable {
    case pending, delivered
    /// Given up: only tried again when an operator asks for it.
    case failed
  }

  package let id: ID
  package let endpoint: WebhookEndpoint.ID
  package let tenant: TenantID
  /// Of the event.
  package let type: String
  package let name: String
  package let state: State
  /// Names the try that is owed, or the last one there was.
  package let turn: Int
  /// How often it was posted, by the last redelivery's count.
  package let tries: Int
  /// HTTP status of the last answer; nil when there was none.
  package let lastStatus: Int?
  /// Why the last try was none, in a word of ours: never the peer's.
  package let lastError: String?
  package let createdAt: Instant
  /// When the last try ended.
  package let triedAt: Instant?
  /// When the next try begins; nil after the last.
  package let dueAt: Instant?
}
