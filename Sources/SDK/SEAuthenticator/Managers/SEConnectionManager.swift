// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import SaltEdgeAuthenticator
internal import SaltEdgeWire
public import SEAuthenticatorCore

/// Connections of v1. Every call is there with closures, of which one is called once on the queue with the answer or
/// with the error class, and for those who wait.
public struct SEConnectionManager {
  /// Asks a bank to connect this device (saltedge-authenticator §4.2).
  /// - Parameters:
  ///   - url: base of the bank's API, as its configuration says.
  ///   - pushToken: where to push to; nil for nowhere.
  ///   - connectQuery: as the QR code has it.
  @preconcurrency
  public static func createConnection(
    by url: URL, data: SECreateConnectionRequestData, pushToken: PushToken?, connectQuery: ConnectQuery? = nil,
    appLanguage: ApplicationLanguage, completionQueue: DispatchQueue = .main,
    onSuccess: SEHTTPResponse<SECreateConnectionResponse>, onFailure: @escaping FailureBlock
  ) {
    connect(url, data, pushToken, connectQuery, appLanguage).report(on: completionQueue, onSuccess, onFailure)
  }

  /// The same, for those who wait.
  public nonisolated(nonsending) static func createConnection(
    by url: URL, data: SECreateConnectionRequestData, pushToken: PushToken?, connectQuery: ConnectQuery? = nil,
    appLanguage: ApplicationLanguage
  ) async throws(SEAuthenticatorError) -> SECreateConnectionResponse {
    try await connect(url, data, pushToken, connectQuery, appLanguage).answer()
  }

  /// Ends a connection (saltedge-authenticator §4.5). Its keys stay until `SECryptoHelper.deleteKeyPair(with:)`.
  @preconcurrency
  public static func revokeConnection(
    data: SEBaseAuthenticatedWithIdRequestData, completionQueue: DispatchQueue = .main,
    onSuccess: SEHTTPResponse<SERevokeConnectionResponse>, onFailure: @escaping FailureBlock
  ) {
    revoke(data).report(on: completionQueue, onSuccess, onFailure)
  }

  /// The same, for those who wait.
  public nonisolated(nonsending) static func revokeConnection(
    data: SEBaseAuthenticatedWithIdRequestData
  ) async throws(SEAuthenticatorError) -> SERevokeConnectionResponse {
    try await revoke(data).answer()
  }

  private static func connect(
    _ url: URL, _ data: SECreateConnectionRequestData, _ pushToken: PushToken?, _ connectQuery: ConnectQuery?,
    _ language: ApplicationLanguage
  ) -> PublishedCall<SECreateConnectionResponse> {
    PublishedCall(SECreateConnectionResponse.init) { () throws(AuthenticatorError) in
      let content = SaltEdgeV1.Connect(
        publicKey: data.publicKey, returnURL: SENetConstants.oauthRedirectUrl,
        platform: SEAuthenticatorPlatform.current.device.platform, pushToken: pushToken ?? "",
        providerCode: data.providerCode, connectQuery: connectQuery)
      return try SaltEdgeV1Calls.connect(content, at: url, language: language)
    }
  }

  private static func revoke(
    _ data: SEBaseAuthenticatedWithIdRequestData
  ) -> PublishedCall<SERevokeConnectionResponse> {
    PublishedCall(SERevokeConnectionResponse.init) { () throws(AuthenticatorError) in
      try SaltEdgeV1Calls.revokeConnection(data.access)
    }
  }
}
