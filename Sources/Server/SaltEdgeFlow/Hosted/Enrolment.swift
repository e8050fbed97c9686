// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import SaltEdgeCore
import SaltEdgeWire
import Storage

/// How customers of a hosted bank connect a device: at once with a query that the bank handed them, or on the bank's
/// page (saltedge-authenticator §4.2, §4.3).
struct Enrolment: Sendable {
  let core: CoreDependencies
  let policy: SaltEdgePolicy

  /// Where the device goes next.
  enum End: Sendable {
    /// The customer does not have to sign in.
    case authenticated(SaltEdgeConnection.ID, token: String)
    case page(String)
    case failed(errorClass: String, message: String)

    /// - Throws: `SaltEdgeError` when the token cannot be encrypted for the device.
    func url(returnURL: String, apiVersion: Int, device: RSAPublicKey) throws -> String {
      switch self {
      case .page(let url): return url
      case .failed(let errorClass, let message):
        return ReturnRedirect.failed(errorClass: errorClass, message: message).url(returnURL: returnURL)
      case .authenticated(let id, let token):
        let end: ReturnRedirect =
          apiVersion == 2
          ? .authenticated(accessToken: try EncryptedAccessToken.encrypt(token, for: device), connectionID: nil)
          : .authenticated(accessToken: token, connectionID: id.rawValue)
        return end.url(returnURL: returnURL)
      }
    }
  }

  private static let refused = End.failed(errorClass: "AUTHENTICATION_FAILED", message: "Unauthorized request")

  func digest(query: String, of provider: SaltEdgeProvider.ID) -> String {
    core.vault.digest("\(provider)\u{0}\(query)", for: "saltedge link")
  }

  func digest(session: String) -> String { core.vault.digest(session, for: "saltedge session") }

  /// - Parameters:
  ///   - token: what the device will send, if it is authenticated at once.
  ///   - session: what the bank's page will name this connection by.
  func begin(
    _ connection: SaltEdgeConnection, of provider: SaltEdgeProvider, device: RSAPublicKey, query: String?,
    token: String, session: String, in tx: any SQLTransaction
  ) throws -> End {
    let (connections, now) = (ConnectionService(core: core, policy: policy), core.world.now())
    if let query {
      let (digest, links) = (digest(query: query, of: provider.id), LinkStore(tx, vault: core.vault))
      if try links.bind(digest, of: provider.id, to: connection, at: now) {
        return try wait(
          connection, device: device, session: session, on: policy.publicURL + LinkApprovalRoutes.path, in: tx)
      }
      guard let user = try links.take(digest, of: provider.id, at: now) else {
        try connections.move(connection, on: .authenticationFailed, by: provider.actor, in: tx)
        return Self.refused
      }
      try connections.authenticate(
        connection, .init(user: user, token: token, publicKey: device), by: provider.actor, in: tx)
      return .authenticated(connection.id, token: token)
    }
    guard let page = provider.loginURL else {
      try connections.move(connection, on: .authenticationFailed, by: provider.actor, in: tx)
      return Self.refused
    }
    return try wait(connection, device: device, session: session, on: page, in: tx)
  }

  private func wait(
    _ connection: SaltEdgeConnection, device: RSAPublicKey, session: String, on page: String, in tx: any SQLTransaction
  ) throws -> End {
    var waiting = connection
    waiting.publicKey = device.pem
    waiting.sessionDigest = digest(session: session)
    try ConnectionStore(tx, vault: core.vault).save(waiting, at: core.world.now())
    return .page("\(page)\(page.contains("?") ? "&" : "?")session=\(session)")
  }

  /// Where a device goes that gets no token.
  func refusal(of connection: SaltEdgeConnection) throws -> String {
    try Self.refused.url(
      returnURL: connection.returnURL, apiVersion: connection.apiVersion, device: try connection.deviceKey())
  }

  /// The device that waits for its customer to sign in.
  /// - Throws: `Problem` not-found.
  func waiting(
    _ session: String, of provider: SaltEdgeProvider, in tx: any SQLTransaction
  ) throws -> SaltEdgeConnection {
    let found = try ConnectionStore(tx, vault: core.vault).find(sessionDigest: digest(session: session))
    guard let connection = found, connection.provider == provider.id, connection.state == .authenticating,
      core.world.now() < connection.enrolmentEndsAt
    else { throw Problem.notFound }
    return connection
  }

  /// The bank's page has signed its customer in, or not: where it sends the browser. A session is good for once.
  /// - Throws: `Problem` not-found.
  func end(
    _ session: String, of provider: SaltEdgeProvider, user: String?, token: String, in tx: any SQLTransaction
  ) throws -> String {
    let connection = try waiting(session, of: provider, in: tx)
    let (connections, device) = (ConnectionService(core: core, policy: policy), try connection.deviceKey())
    guard let user else {
      var failed = connection
      failed.sessionDigest = nil
      try connections.move(failed, on: .authenticationFailed, by: provider.actor, in: tx)
      return try Self.refused.url(
        returnURL: connection.returnURL, apiVersion: connection.apiVersion, device: device)
    }
    try connections.authenticate(
      connection, .init(user: user, token: token, publicKey: device), by: provider.actor, in: tx)
    return try End.authenticated(connection.id, token: token)
      .url(returnURL: connection.returnURL, apiVersion: connection.apiVersion, device: device)
  }
}
