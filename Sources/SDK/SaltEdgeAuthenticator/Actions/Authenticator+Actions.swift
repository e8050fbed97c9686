// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import SaltEdgeCore
internal import SaltEdgeWire

/// What came of an instant action (specification §1.4, §4.8, §5.8).
public enum ActionOutcome: Sendable, Equatable {
  /// Nothing is left to do; open the address when there is one. It is a page of the web by https, or of an app whose
  /// scheme the setup names.
  case done(returnTo: URL?)
  /// The user has to confirm this first.
  case confirm(Authorization.ID, returnTo: URL?)
  /// The bank did not take it.
  case refused
}

extension Authenticator {
  /// The connections that an action can be picked up with: none, one to go on with, or several to choose from
  /// (specification §3).
  public func connections(for link: ActionLink) throws(AuthenticatorError) -> [Connection] {
    try connections().filter { connection in
      guard connection.status == .active, connection.apiVersion == link.apiVersion else { return false }
      return switch link.target {
      case .v1(_, let connectURL): connection.connectURL == connectURL
      case .v2(_, let providerID): connection.providerID == providerID
      }
    }
  }

  /// Picks an action up. It is picked up once however often that is asked, so a failure on the way is followed by
  /// another attempt (§16).
  /// - Parameter guid: of one of its connections.
  /// - Throws: `outOfOrder` for another connection; what the service says.
  public func submit(_ link: ActionLink, on guid: String) async throws(AuthenticatorError) -> ActionOutcome {
    guard let connection = try connections(for: link).first(where: { $0.guid == guid }) else {
      throw AuthenticatorError(.outOfOrder, .connectionUnknown)
    }
    let access = try access(connection)
    let (isTaken, authorization): (Bool, String?)
    switch link.target {
    case .v1(let action, _):
      let answer = try await send(
        SaltEdgeV1Calls.submitAction(action, access), for: guid, repeating: .whereDoneTwiceIsOnce)
      (isTaken, authorization) = (answer.success, answer.authorizationID?.text)
    case .v2(let action, let provider):
      let answer = try await send(
        SaltEdgeV2Calls.submitAction(
          .init(providerID: .init(provider), actionID: .init(action), connectionID: .init(connection.id)), access),
        for: guid, repeating: .whereDoneTwiceIsOnce)
      (isTaken, authorization) = (true, answer.authorizationID?.text)
    }
    let returnTo = openable(link.returnTo)
    if let authorization, !authorization.isEmpty {
      return .confirm(.init(connection: guid, id: authorization), returnTo: returnTo)
    }
    return isTaken ? .done(returnTo: returnTo) : .refused
  }

  /// A link that the app made or read by itself is not opened by other rules.
  private nonisolated func openable(_ address: URL?) -> URL? {
    guard let address, let scheme = address.scheme?.lowercased() else { return nil }
    let schemes = setup.schemes.union(setup.returnSchemes)
    return scheme == "http" ? nil : LinkQuery.openableURL(address.absoluteString, schemes: schemes)
  }
}
