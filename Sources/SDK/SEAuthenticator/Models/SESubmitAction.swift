// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import SaltEdgeWire
public import SEAuthenticatorCore

/// Which action is submitted, for which connection (saltedge-authenticator §4.8).
public class SEActionRequestData: SEBaseAuthenticatedRequestData {
  /// As the QR code has it.
  public let guid: GUID

  public init(url: URL, connectionGuid: GUID, accessToken: AccessToken, appLanguage: ApplicationLanguage, guid: GUID) {
    self.guid = guid
    super.init(url: url, connectionGuid: connectionGuid, accessToken: accessToken, appLanguage: appLanguage)
  }
}

/// How it was taken.
public struct SESubmitActionResponse: SEBaseActionResponse, Decodable, Sendable {
  public let success: Bool
  public var authorizationId: String?
  public var connectionId: String?

  init(_ wire: SaltEdgeV1.ActionSubmitted) {
    success = wire.success
    authorizationId = wire.authorizationID?.text
    connectionId = wire.connectionID?.text
  }

  public init(from decoder: any Decoder) throws {
    self.init(try SaltEdge.Body<SaltEdgeV1.ActionSubmitted>(from: decoder).data)
  }
}
