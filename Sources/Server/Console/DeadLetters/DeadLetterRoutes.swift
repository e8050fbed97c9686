// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit
import Storage

/// `/console/dead-letters/…`: what an operator does about effects that no repetition cured, of every institution of
/// the installation. Payloads are never shown.
package struct DeadLetterRoutes: Sendable {
  package static let base = "\(StaffRoutes.base)/dead-letters"
  /// Dead letters that are shown at once, the oldest first.
  static let pageMax = 100

  private let signIn: StaffSignIn

  package init(_ signIn: StaffSignIn) { self.signIn = signIn }

  package func add(to root: RouterGroup<PublicContext>) {
    let group = root.group(RouterPath(Self.base))
    group.get("", use: page { visit, _, _ in try await list(visit) })
    group.post(
      "{letter}/release",
      use: change("outbox.released") { store, id, now in
        try store.release(id, now: now)
      })
    group.post("{letter}/drop", use: change("outbox.dropped", isFinal: true) { store, id, _ in try store.drop(id) })
  }

  // MARK: Pages

  private func list(
    _ visit: StaffVisit, fault: Phrase? = nil, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let core = signIn.core
    let (gauge, letters) = try await core.database.write(retrying: .outdated) { tx in
      try core.audit.append(
        "outbox.listed", to: visit.member.id.rawValue, by: visit.actor, facts: RecordAccess.overview.facts, in: tx)
      let store = OutboxStore(tx)
      return (try store.gauge(now: core.world.now()), try store.deadLetters(limit: Self.pageMax))
    }
    return try DeadLettersPage(gauge, letters, fault: fault, for: visit).response(status: status)
  }

  private typealias Act = @Sendable (OutboxStore, OutboxItem.ID, Instant) throws -> Bool

  /// A form about one dead letter, kept in the audit under the effect's id. What is refused is said on the list.
  /// - Parameter isFinal: whether the form has to say that its reader is sure.
  private func change(_ action: String, isFinal: Bool = false, _ act: @escaping Act) -> StaffSignIn.Handler {
    page { visit, request, parameters in
      let id = OutboxItem.ID(rawValue: try parameters.requireUUID("letter"))
      let form = try await StaffForm.read(request, csrf: visit.csrf)
      guard !isFinal || form["sure"] == "yes" else {
        return try await list(visit, fault: Phrase("dead_letter_not_sure"), status: .unprocessableContent)
      }
      let core = signIn.core
      let isDone = try await core.database.write(retrying: .outdated) { tx in
        guard try act(OutboxStore(tx), id, core.world.now()) else { return false }
        try core.audit.append(action, to: "outbox-\(id)", by: visit.actor, in: tx)
        return true
      }
      guard isDone else {
        return try await list(visit, fault: Phrase("dead_letter_gone"), status: .conflict)
      }
      return StaffRoutes.redirect(Self.base)
    }
  }

  private func page(_ show: @escaping StaffSignIn.Show) -> StaffSignIn.Handler {
    signIn.page(for: .manageOutbox, show)
  }
}

extension StaffPermission {
  /// Have effects that were given up run again, or drop them, of every institution of the installation.
  package static let manageOutbox = StaffPermission(rawValue: "manage:outbox")
}
