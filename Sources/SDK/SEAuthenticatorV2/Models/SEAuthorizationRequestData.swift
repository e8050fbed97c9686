// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseWire
internal import SaltEdgeAuthenticator
public import SaltEdgeCore
internal import SaltEdgeWire
public import SEAuthenticatorCore

/// A decision, for the bank alone to read (saltedge-authenticator §5.7).
public struct SEAuthorizationRequestData: Sendable, Redacted {
  /// The authorization.
  public let id: ID
  /// As it was shown.
  public let authorizationCode: String?
  /// `biometrics`, `passcode` or `unknown`.
  public let userAuthorizationType: String
  /// `GEO:<lat>;<lon>` in decimal degrees; nil when it is not known.
  public let geolocation: String?
  /// Names the connection's keys, the bank's among them.
  public let connectionGuid: GUID

  public init(
    id: ID, authorizationCode: String?, userAuthorizationType: String, geolocation: String?, connectionGuid: GUID
  ) {
    self.id = id
    self.authorizationCode = authorizationCode
    self.userAuthorizationType = userAuthorizationType
    self.geolocation = geolocation
    self.connectionGuid = connectionGuid
  }

  /// Encrypted for the bank; nil when its key is not kept under `SETagHelper.provider(for:)`.
  public var encryptedData: SEEncryptedData? { (try? sealed).map { SEEncryptedData($0) } }

  /// - Throws: `keyMissing` without the bank's key.
  var sealed: SaltEdge.Ciphertext {
    get throws(AuthenticatorError) {
      let platform = SEAuthenticatorPlatform.current
      guard let bank = try platform.keys.publicKey(SETagHelper.provider(for: connectionGuid)) else {
        throw AuthenticatorError(.keyMissing, .apiRequest)
      }
      let confirmation = SaltEdgeV2.Confirmation(
        code: authorizationCode, userAuthorizationType: userAuthorizationType, geolocation: geolocation)
      guard let plaintext = try? WireJSON.encode(confirmation) else { throw AuthenticatorError(.notSent, .apiRequest) }
      return try SaltEdge.Ciphertext(encrypting: plaintext, for: bank, randomness: platform.randomness)
    }
  }
}

extension SEAuthorizationRequestData {
  init(_ data: SEConfirmAuthorizationRequestData) {
    self.init(
      id: data.entityId, authorizationCode: data.authorizationCode, userAuthorizationType: data.authorizationType,
      geolocation: data.geolocation, connectionGuid: data.connectionGuid)
  }
}

/// How a decision was taken.
public struct SEConfirmAuthorizationResponseV2: Decodable, Sendable {
  /// The authorization.
  public let id: String
  /// Unless it is final, ask for the authorization until it is.
  public let status: AuthorizationStatus

  init(_ wire: SaltEdgeV2.Decided) { (id, status) = (wire.id.text, AuthorizationStatus(wire.status)) }

  public init(from decoder: any Decoder) throws {
    self.init(try SaltEdge.Body<SaltEdgeV2.Decided>(from: decoder).data)
  }
}
