// SPDX-License-Identifier: Apache-2.0

import Kit

/// A token of ours that is valid for a while: made when it is needed, and used until shortly before its end. Two who
/// need it at the same time may both make one; both use the one that was there first, for Apple refuses those who change
/// it often.
actor RenewedToken {
  struct Issued: Sendable {
    let text: String
    /// When the next one is made.
    let renewAt: Instant
  }

  private let world: World
  private let issue: @Sendable () async throws -> Issued
  private var current: (issued: Issued, since: Instant)?

  init(world: World, issue: @escaping @Sendable () async throws -> Issued) {
    self.world = world
    self.issue = issue
  }

  func text() async throws -> String {
    if let current, world.wall() < current.issued.renewAt { return current.issued.text }
    let issued = try await issue()
    if let current, world.wall() < current.issued.renewAt { return current.issued.text }
    current = (issued, world.wall())
    return issued.text
  }

  /// Has the next one made: the other side does not take this one any more.
  /// - Parameter age: one that is younger stays, where too many new ones are an offence of their own.
  func forget(_ text: String, after age: Duration = .zero) {
    guard let current, current.issued.text == text, world.wall() - current.since >= age else { return }
    self.current = nil
  }
}
