// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import SaltEdgeCore
internal import SaltEdgeWire
public import SEAuthenticatorCore

/// What is said of a device that is to be connected (saltedge-authenticator §5.2).
public struct SECreateConnectionParams: Sendable, Redacted {
  public let providerId: String
  /// Where to push to; nil for nowhere.
  public let pushToken: PushToken?
  /// As the QR code has it.
  public let connectQuery: ConnectQuery?
  /// The device's public key in PEM, encrypted for the bank.
  public let encryptedRsaPublicKey: SEEncryptedData

  public init(
    providerId: String, pushToken: PushToken?, connectQuery: ConnectQuery?, encryptedRsaPublicKey: SEEncryptedData
  ) {
    self.providerId = providerId
    self.pushToken = pushToken
    self.connectQuery = connectQuery
    self.encryptedRsaPublicKey = encryptedRsaPublicKey
  }
}

/// Where the customer signs in (saltedge-authenticator §5.2).
public struct SECreateConnectionResponseV2: Decodable, Sendable, Redacted {
  /// The connection.
  public let id: String
  /// A page to be shown, or already the end of signing in: see `SERedirectHandler`.
  public let authenticationUrl: String

  init(_ wire: SaltEdgeV2.Connected) { (id, authenticationUrl) = (wire.connectionID.text, wire.authenticationURL) }

  public init(from decoder: any Decoder) throws {
    self.init(try SaltEdge.Body<SaltEdgeV2.Connected>(from: decoder).data)
  }
}
