// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where a reader's server-sent events come from, when it is no topic of live events.
package struct EventFeed: Sendable {
  package struct Event: Sendable {
    /// Its place, which a reader that comes back names; nil for what has none.
    let number: Int64?
    let kind: String
    /// JSON.
    let data: Data

    package init(number: Int64?, kind: String, data: Data) {
      (self.number, self.kind, self.data) = (number, kind, data)
    }
  }

  package struct Page: Sendable {
    let events: [Event]
    /// Where to go on.
    let position: Int64
    /// Nothing comes after these.
    let isLast: Bool

    package init(_ events: [Event], position: Int64, isLast: Bool) {
      (self.events, self.position, self.isLast) = (events, position, isLast)
    }
  }

  /// What comes after a position, as soon as there is something; a page without events when nothing came in that time.
  let next: @Sendable (_ position: Int64, _ atMost: Duration) async throws -> Page

  package init(_ next: @escaping @Sendable (_ position: Int64, _ atMost: Duration) async throws -> Page) {
    self.next = next
  }

  /// The same for a reader whose right to it may end: an answer goes on for minutes.
  /// - Parameter mayRead: asked before anything is told. Where it is false, nothing more is, and the feed ends.
  package func asLong(as mayRead: @escaping @Sendable () async throws -> Bool) -> EventFeed {
    EventFeed { [next] position, limit in
      let page = try await next(position, limit)
      guard page.isLast || !page.events.isEmpty else { return page }
      return try await mayRead() ? page : Page([], position: position, isLast: true)
    }
  }
}
