// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SaltEdgeCore
internal import SaltEdgeWire

/// What there is to confirm or deny, and what could not be asked.
public struct AuthorizationSnapshot: Sendable, Equatable {
  /// Of all connections, the oldest first.
  public let authorizations: [Authorization]
  /// By guid, the connections whose services did not answer; what they listed before stays.
  public let failures: [String: AuthenticatorError]
}

extension Authenticator {
  /// Asks the services of all active connections at once, v1 and v2, and answers when all have answered or failed
  /// (specification §10.5).
  /// - Throws: `outOfOrder` while the app is locked; what single services fail with is in the snapshot.
  public func authorizations() async throws(AuthenticatorError) -> AuthorizationSnapshot {
    try requireUnlocked()
    var failures: [String: AuthenticatorError] = [:]
    var asked: [(Connection, ServiceAccess)] = []
    for connection in try records.load().connections where connection.status == .active {
      do throws(AuthenticatorError) { asked.append((connection, try access(connection))) } catch {
        failures[connection.guid] = error
      }
    }
    var entries: [ListedAuthorization] = []
    var answered: Set<String> = []
    for (guid, result) in await Self.fetch(asked, over: client) {
      do throws(AuthenticatorError) {
        entries += try result.get()
        answered.insert(guid)
      } catch {
        failures[guid] = error
        try note(error, on: guid)
      }
    }
    // Meanwhile the app may have been locked, and connections removed.
    try requireUnlocked()
    let kept = Set(try records.load().connections.map(\.guid))
    list.merge(entries.filter { kept.contains($0.id.connection) }, answered: answered, at: now)
    return AuthorizationSnapshot(authorizations: list.shown(), failures: failures)
  }

  /// Asks for one authorization.
  /// - Throws: `refused` with `AuthorizationNotFound` when there is nothing to decide any more; `unreadable` when it is
  ///   not for this device's key.
  public func authorization(_ id: Authorization.ID) async throws(AuthenticatorError) -> Authorization {
    try requireUnlocked()
    let connection = try connection(id.connection)
    let access = try access(connection)
    let entry: ListedAuthorization?
    if connection.apiVersion == 2 {
      entry = .init(
        try await send(SaltEdgeV2Calls.authorization(id.id, access), for: id.connection), connection: id.connection,
        key: try access.key.opened())
    } else {
      entry = .init(
        try await send(SaltEdgeV1Calls.authorization(id.id, access), for: id.connection), connection: id.connection,
        key: try access.key.opened())
    }
    try requireUnlocked()
    guard let entry, entry.id == id else { throw AuthenticatorError(.unreadable(status: 200), .apiResponse) }
    return try seen(entry)
  }

  /// What the list says about an entry that was fetched alone: a decision made here counts more than an older answer.
  private func seen(_ entry: ListedAuthorization) throws(AuthenticatorError) -> Authorization {
    switch entry {
    case .open(let authorization):
      list.merge([entry], answered: [], at: now)
      if let row = list[authorization.id] { return row }
      guard authorization.isExpired(at: now) else { throw AuthenticatorError(.outOfOrder, .authorizationOver) }
      var expired = authorization
      expired.state = .timeOut
      return expired
    case .over(let id, _):
      list.merge([entry], answered: [], at: now)
      guard let row = list[id] else { throw AuthenticatorError(.outOfOrder, .authorizationOver) }
      return row
    case .withdrawn(let id):
      guard var row = list[id] else { throw AuthenticatorError(.outOfOrder, .authorizationOver) }
      list.merge([entry], answered: [], at: now)
      if !row.state.isFinal { row.state = .unavailable }
      return row
    }
  }

  func connection(_ guid: String) throws(AuthenticatorError) -> Connection {
    guard let connection = try records.load()[guid] else { throw AuthenticatorError(.outOfOrder, .connectionUnknown) }
    return connection
  }

  /// Apart from the actor, so that slow services do not wait for each other, and decrypting does not block other calls.
  private static func fetch(
    _ asked: [(Connection, ServiceAccess)], over client: ServiceHTTPClient
  ) async -> [(String, Result<[ListedAuthorization], AuthenticatorError>)] {
    await withTaskGroup(of: (String, Result<[ListedAuthorization], AuthenticatorError>).self) { group in
      for (connection, access) in asked {
        group.addTask {
          do throws(AuthenticatorError) {
            return (connection.guid, .success(try await list(connection, access, over: client)))
          } catch {
            return (connection.guid, .failure(error))
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  private static func list(
    _ connection: Connection, _ access: ServiceAccess, over client: ServiceHTTPClient
  ) async throws(AuthenticatorError) -> [ListedAuthorization] {
    // A key that only its user opens is not opened for nothing.
    if connection.apiVersion == 2 {
      let items = try await client.send(SaltEdgeV2Calls.authorizations(access)).items
      let key = items.isEmpty ? nil : try access.key.opened()
      return items.compactMap { item in
        key.flatMap { ListedAuthorization(item, connection: connection.guid, key: $0) }
      }
    }
    let items = try await client.send(SaltEdgeV1Calls.authorizations(access)).items
    let key = items.isEmpty ? nil : try access.key.opened()
    return items.compactMap { item in
      key.flatMap { ListedAuthorization(item, connection: connection.guid, key: $0) }
    }
  }
}
