// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import GatehouseTransport
public import SaltEdgeCore
internal import SaltEdgeWire

extension Authenticator {
  /// The app's connections, the oldest first.
  public func connections() throws(AuthenticatorError) -> [Connection] {
    try requireUnlocked()
    // Of the same millisecond, as they were made.
    return try records.load().connections.enumerated()
      .sorted { ($0.element.createdAt, $0.offset) < ($1.element.createdAt, $1.offset) }.map(\.element)
  }

  /// Connects to the bank of a link (specification §1.1): reads its configuration, draws a key pair, asks to be
  /// connected, lets the user sign in on the bank's page, and keeps the connection.
  ///
  /// Until the bank has said yes nothing is kept; after that the connection is, also when the app was locked meanwhile.
  /// - Parameter baseURL: called instead of the address that the configuration gives, for a service that is reached by
  ///   another one than it knows of.
  /// - Throws: `authentication` when the bank said no, `abandoned` when the user left the page.
  @discardableResult
  public func connect(_ link: ConnectLink, baseURL: URL? = nil) async throws(AuthenticatorError) -> Connection {
    try requireUnlocked()
    guard try records.load().connections.count < setup.policy.connectionsMax else {
      throw AuthenticatorError(.outOfOrder, .tooManyConnections)
    }
    let guid = randomness.uuid().uuidString.uppercased()
    return try await enrol(
      Enrolment(
        guid: guid, createdAt: now, configurationURL: link.configuration, connectQuery: link.connectQuery,
        baseURL: baseURL, name: nil),
      apiVersion: link.apiVersion)
  }

  /// Makes a connection again that was lost: the same record, a new key pair and token (§10.7).
  @discardableResult
  public func reconnect(_ guid: String) async throws(AuthenticatorError) -> Connection {
    try requireUnlocked()
    guard let old = try records.load()[guid] else { throw AuthenticatorError(.outOfOrder, .connectionUnknown) }
    return try await enrol(
      Enrolment(
        guid: guid, createdAt: old.createdAt, configurationURL: old.configurationURL, connectQuery: nil,
        baseURL: old.baseURL, name: old.name),
      apiVersion: old.apiVersion)
  }

  /// Gives a connection a name of the user's.
  /// - Throws: `outOfOrder` for an empty name or another connection's.
  public func rename(_ guid: String, to name: String) throws(AuthenticatorError) {
    try requireUnlocked()
    let (list, name, now) = (try records.load(), PlainText.line(name), now)
    guard list[guid] != nil else { throw AuthenticatorError(.outOfOrder, .connectionUnknown) }
    guard !name.isEmpty, !list.connections.contains(where: { $0.guid != guid && $0.name == name }) else {
      throw AuthenticatorError(.outOfOrder, .nameTaken)
    }
    try records.change { list in
      list[guid]?.name = name
      list[guid]?.updatedAt = now
    }
  }

  /// Forgets a connection and its keys at once, then tells the service (§10.7).
  /// - Returns: whether the service has heard; else the bank's page lets the user revoke it.
  @discardableResult
  public func remove(_ guid: String) async throws(AuthenticatorError) -> Bool {
    try requireUnlocked()
    guard let connection = try records.load()[guid] else { throw AuthenticatorError(.outOfOrder, .connectionUnknown) }
    let farewell = farewell(connection, by: permit)
    try forgetKeys(of: guid)
    try records.change { $0[guid] = nil }
    list.drop(connection: guid)
    guard let farewell else { return false }
    return await Self.take(leave: [farewell], over: client) == 1
  }

  func forgetKeys(of guid: String) throws(AuthenticatorError) {
    try keys.remove(KeyTag.pair(guid))
    try keys.remove(KeyTag.provider(guid))
  }

  /// The request that revokes a connection, signed while there is a key still; nil when there is nothing to revoke.
  func farewell(_ connection: Connection, by permit: KeyProtection.Permit?) -> TransportRequest? {
    guard let access = try? access(connection, by: permit) else { return nil }
    var request =
      connection.apiVersion == 2
      ? (try? SaltEdgeV2Calls.revokeConnection(connection.id, access)).flatMap { try? client.request(for: $0) }
      : (try? SaltEdgeV1Calls.revokeConnection(access)).flatMap { try? client.request(for: $0) }
    request?.deadline = setup.policy.farewellDeadline
    return request
  }

  /// - Returns: how many services have heard.
  static func take(leave requests: [TransportRequest], over client: ServiceHTTPClient) async -> Int {
    await withTaskGroup(of: Bool.self) { group in
      for request in requests { group.addTask { (try? await client.send(request))?.isSuccess ?? false } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
  }
}
