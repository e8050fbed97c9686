// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import SaltEdgeWire
public import SEAuthenticatorCore

/// Which action is submitted, for which connection (saltedge-authenticator §5.8).
public class SEActionRequestDataV2: SEBaseAuthenticatedRequestData {
  /// As the QR code has it.
  public let providerId: String
  /// As the QR code has it.
  public let actionId: ID
  /// The service's id of the connection.
  public let connectionId: ID

  public init(
    url: URL, connectionGuid: GUID, accessToken: AccessToken, appLanguage: ApplicationLanguage, providerId: String,
    actionId: ID, connectionId: ID
  ) {
    self.providerId = providerId
    self.actionId = actionId
    self.connectionId = connectionId
    super.init(url: url, connectionGuid: connectionGuid, accessToken: accessToken, appLanguage: appLanguage)
  }
}

/// How it was taken; without ids when nothing has to be confirmed.
public struct SESubmitActionResponseV2: SEBaseActionResponse, Decodable, Sendable {
  public var authorizationId: String?
  public var connectionId: String?

  init(_ wire: SaltEdgeV2.ActionSubmitted) {
    (authorizationId, connectionId) = (wire.authorizationID?.text, wire.connectionID?.text)
  }

  public init(from decoder: any Decoder) throws {
    self.init(try SaltEdge.Body<SaltEdgeV2.ActionSubmitted>(from: decoder).data)
  }
}
