// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import SaltEdgeAuthenticator
internal import SaltEdgeWire
public import SEAuthenticatorCore

/// Connections of v2. Every call is there with closures, of which one is called once on the queue with the answer or
/// with the error class, and for those who wait.
public struct SEConnectionManagerV2 {
  /// Asks to connect this device to a bank (saltedge-authenticator §5.2).
  /// - Parameter url: base of the service's API, as the configuration says.
  @preconcurrency
  public static func createConnection(
    by url: URL, params: SECreateConnectionParams, appLanguage: ApplicationLanguage,
    completionQueue: DispatchQueue = .main,
    onSuccess: SEHTTPResponse<SECreateConnectionResponseV2>, onFailure: @escaping FailureBlock
  ) {
    connect(url, params, appLanguage).report(on: completionQueue, onSuccess, onFailure)
  }

  /// The same, for those who wait.
  public nonisolated(nonsending) static func createConnection(
    by url: URL, params: SECreateConnectionParams, appLanguage: ApplicationLanguage
  ) async throws(SEAuthenticatorError) -> SECreateConnectionResponseV2 {
    try await connect(url, params, appLanguage).answer()
  }

  /// Ends the connection `entityId` (saltedge-authenticator §5.4). Its keys stay until
  /// `SECryptoHelper.deleteKeyPair(with:)`.
  @preconcurrency
  public static func revokeConnection(
    data: SEBaseAuthenticatedWithIdRequestData, completionQueue: DispatchQueue = .main,
    onSuccess: SEHTTPResponse<SERevokeConnectionResponseV2>, onFailure: @escaping FailureBlock
  ) {
    revoke(data).report(on: completionQueue, onSuccess, onFailure)
  }

  /// The same, for those who wait.
  public nonisolated(nonsending) static func revokeConnection(
    data: SEBaseAuthenticatedWithIdRequestData
  ) async throws(SEAuthenticatorError) -> SERevokeConnectionResponseV2 {
    try await revoke(data).answer()
  }

  /// Shows the connection `entityId` as the service knows it (saltedge-authenticator §5.4). Not in the published SDK
  /// for iOS.
  @preconcurrency
  public static func showConnection(
    data: SEBaseAuthenticatedWithIdRequestData, completionQueue: DispatchQueue = .main,
    onSuccess: SEHTTPResponse<SEShowConnectionResponseV2>, onFailure: @escaping FailureBlock
  ) {
    show(data).report(on: completionQueue, onSuccess, onFailure)
  }

  /// The same, for those who wait.
  public nonisolated(nonsending) static func showConnection(
    data: SEBaseAuthenticatedWithIdRequestData
  ) async throws(SEAuthenticatorError) -> SEShowConnectionResponseV2 {
    try await show(data).answer()
  }

  /// Changes where the connection `entityId` is pushed to (saltedge-authenticator §5.4). Not in the published SDK for
  /// iOS.
  /// - Parameter pushToken: empty for nowhere.
  @preconcurrency
  public static func updateConnection(
    data: SEBaseAuthenticatedWithIdRequestData, pushToken: PushToken, completionQueue: DispatchQueue = .main,
    onSuccess: SEHTTPResponse<SEUpdateConnectionResponseV2>, onFailure: @escaping FailureBlock
  ) {
    update(data, pushToken).report(on: completionQueue, onSuccess, onFailure)
  }

  /// The same, for those who wait.
  public nonisolated(nonsending) static func updateConnection(
    data: SEBaseAuthenticatedWithIdRequestData, pushToken: PushToken
  ) async throws(SEAuthenticatorError) -> SEUpdateConnectionResponseV2 {
    try await update(data, pushToken).answer()
  }

  private static func connect(
    _ url: URL, _ params: SECreateConnectionParams, _ language: ApplicationLanguage
  ) -> PublishedCall<SECreateConnectionResponseV2> {
    PublishedCall(SECreateConnectionResponseV2.init) { () throws(AuthenticatorError) in
      // Nothing at all is said of what is not there.
      func told(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
      let content = SaltEdgeV2.Connect(
        providerID: .init(params.providerId), returnURL: SENetConstants.oauthRedirectUrl,
        platform: SEAuthenticatorPlatform.current.device.platform, pushToken: told(params.pushToken),
        connectQuery: told(params.connectQuery), encryptedPublicKey: params.encryptedRsaPublicKey.ciphertext)
      return try SaltEdgeV2Calls.connect(content, at: url, language: language)
    }
  }

  private static func revoke(
    _ data: SEBaseAuthenticatedWithIdRequestData
  ) -> PublishedCall<SERevokeConnectionResponseV2> {
    PublishedCall(SERevokeConnectionResponseV2.init) { () throws(AuthenticatorError) in
      try SaltEdgeV2Calls.revokeConnection(data.entityId, data.access)
    }
  }

  private static func show(
    _ data: SEBaseAuthenticatedWithIdRequestData
  ) -> PublishedCall<SEShowConnectionResponseV2> {
    PublishedCall(SEShowConnectionResponseV2.init) { () throws(AuthenticatorError) in
      try SaltEdgeV2Calls.connection(data.entityId, data.access)
    }
  }

  private static func update(
    _ data: SEBaseAuthenticatedWithIdRequestData, _ pushToken: PushToken
  ) -> PublishedCall<SEUpdateConnectionResponseV2> {
    PublishedCall(SEUpdateConnectionResponseV2.init) { () throws(AuthenticatorError) in
      try SaltEdgeV2Calls.updateConnection(data.entityId, .init(pushToken: pushToken), data.access)
    }
  }
}
