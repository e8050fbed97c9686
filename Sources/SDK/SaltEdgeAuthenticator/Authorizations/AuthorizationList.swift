// SPDX-License-Identifier: Apache-2.0

internal import GatehouseWire

/// The list of authorizations of all connections, as it is shown from poll to poll: pure rules (specification §10.6).
///
/// 1. An entry that has expired is not taken in.
/// 2. A final entry ends a row that is there and not over; it makes none.
/// 3. A closed entry takes its row away.
/// 4. A row that the device has decided on is not undone by an answer that was on its way before.
/// 5. Rows that are over stay for four seconds, expired ones for four seconds after their end. Other rows that their
///    service does not list any more go at once; a service that did not answer takes none away.
/// 6. The oldest first.
struct AuthorizationList: Sendable {
  private struct Row: Sendable {
    var authorization: Authorization
    /// When it became final here.
    var endedAt: WireInstant?
  }

  private let finalsShown: Duration
  private var rows: [Authorization.ID: Row] = [:]
  /// What was confirmed or denied and went, until it expires: an old answer must not bring it back.
  private var settled: [Authorization.ID: WireInstant] = [:]

  init(finalsShown: Duration) { self.finalsShown = finalsShown }

  /// What is to be shown.
  func shown() -> [Authorization] {
    rows.values.map(\.authorization).sorted {
      ($0.createdAt, $0.id.connection, $0.id.id) < ($1.createdAt, $1.id.connection, $1.id.id)
    }
  }

  subscript(id: Authorization.ID) -> Authorization? { rows[id]?.authorization }

  /// Takes in what services list.
  /// - Parameter answered: by guid, the connections whose services answered.
  mutating func merge(_ entries: [ListedAuthorization], answered: Set<String>, at now: WireInstant) {
    settled = settled.filter { $0.value > now }
    for entry in entries { take(entry, at: now) }
    let listed = Set(entries.map(\.id))
    for (id, row) in rows where !listed.contains(id) && answered.contains(id.connection) {
      let runsOut = row.authorization.state == .pending && row.authorization.isExpired(at: now)
      if !row.authorization.state.isFinal, !runsOut { rows[id] = nil }
    }
    age(at: now)
  }

  /// What is over for long enough goes, what expires is over.
  mutating func age(at now: WireInstant) {
    for (id, row) in rows {
      if row.authorization.state == .pending, row.authorization.isExpired(at: now) {
        rows[id]?.authorization.state = .timeOut
        rows[id]?.endedAt = row.authorization.expiresAt
      }
      guard let end = rows[id]?.endedAt else { continue }
      if now.millisecondsSince1970 >= end.millisecondsSince1970 + finalsShown.milliseconds { rows[id] = nil }
    }
  }

  /// Shows what came of a decision.
  mutating func set(_ id: Authorization.ID, _ state: AuthorizationState, at now: WireInstant) {
    guard let row = rows[id] else { return }
    rows[id]?.authorization.state = state
    rows[id]?.endedAt = state.isFinal ? row.endedAt ?? now : nil
    if state == .confirmed || state == .denied { settled[id] = row.authorization.expiresAt }
  }

  /// Shows one that was fetched alone.
  mutating func show(_ authorization: Authorization) {
    guard rows[authorization.id] == nil else { return }
    rows[authorization.id] = Row(authorization: authorization)
  }

  mutating func drop(connection guid: String) { rows = rows.filter { $0.key.connection != guid } }

  mutating func drop(_ id: Authorization.ID) { rows[id] = nil }

  mutating func clear() { rows = [:] }

  private mutating func take(_ entry: ListedAuthorization, at now: WireInstant) {
    let row = rows[entry.id]
    switch entry {
    case .withdrawn(let id):
      if row?.authorization.state.isFinal != true { rows[id] = nil }
    case .over(let id, let state):
      if let row, !row.authorization.state.isFinal { set(id, state, at: now) }
    case .open(let fresh):
      guard settled[fresh.id] == nil, !fresh.isExpired(at: now) else { return }
      guard let row else {
        rows[fresh.id] = Row(authorization: fresh)
        return
      }
      // Pending is older than what this device did.
      guard !row.authorization.state.isFinal, fresh.state == .processing || row.authorization.state == .pending else {
        return
      }
      rows[fresh.id] = Row(authorization: fresh)
    }
  }
}
