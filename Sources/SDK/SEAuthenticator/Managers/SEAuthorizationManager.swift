// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import SaltEdgeAuthenticator
internal import SaltEdgeWire
public import SEAuthenticatorCore

/// What waits for the customer, in v1. Every call is there with closures, of which one is called once on the queue with
/// the answer or with the error class, and for those who wait.
public struct SEAuthorizationManager {
  /// Lists what waits (saltedge-authenticator §4.6). An entry that cannot be read is left out.
  @preconcurrency
  public static func getEncryptedAuthorizations(
    data: SEBaseAuthenticatedRequestData, completionQueue: DispatchQueue = .main,
    onSuccess: SEHTTPResponse<SEEncryptedListResponse>, onFailure: @escaping FailureBlock
  ) {
    list(data).report(on: completionQueue, onSuccess, onFailure)
  }

  /// The same, for those who wait.
  public nonisolated(nonsending) static func getEncryptedAuthorizations(
    data: SEBaseAuthenticatedRequestData
  ) async throws(SEAuthenticatorError) -> SEEncryptedListResponse {
    try await list(data).answer()
  }

  /// Shows one that waits (saltedge-authenticator §4.6).
  @preconcurrency
  public static func getEncryptedAuthorization(
    data: SEBaseAuthenticatedWithIdRequestData, completionQueue: DispatchQueue = .main,
    onSuccess: SEHTTPResponse<SEEncryptedDataResponse>, onFailure: @escaping FailureBlock
  ) {
    show(data).report(on: completionQueue, onSuccess, onFailure)
  }

  /// The same, for those who wait.
  public nonisolated(nonsending) static func getEncryptedAuthorization(
    data: SEBaseAuthenticatedWithIdRequestData
  ) async throws(SEAuthenticatorError) -> SEEncryptedDataResponse {
    try await show(data).answer()
  }

  /// Confirms (saltedge-authenticator §4.7). Only after the customer's passcode or biometrics.
  @preconcurrency
  public static func confirmAuthorization(
    data: SEConfirmAuthorizationRequestData, completionQueue: DispatchQueue = .main,
    onSuccess: SEHTTPResponse<SEConfirmAuthorizationResponse>, onFailure: @escaping FailureBlock
  ) {
    decide(data, confirms: true).report(on: completionQueue, onSuccess, onFailure)
  }

  /// The same, for those who wait.
  public nonisolated(nonsending) static func confirmAuthorization(
    data: SEConfirmAuthorizationRequestData
  ) async throws(SEAuthenticatorError) -> SEConfirmAuthorizationResponse {
    try await decide(data, confirms: true).answer()
  }

  /// Denies (saltedge-authenticator §4.7).
  @preconcurrency
  public static func denyAuthorization(
    data: SEConfirmAuthorizationRequestData, completionQueue: DispatchQueue = .main,
    onSuccess: SEHTTPResponse<SEConfirmAuthorizationResponse>, onFailure: @escaping FailureBlock
  ) {
    decide(data, confirms: false).report(on: completionQueue, onSuccess, onFailure)
  }

  /// The same, for those who wait.
  public nonisolated(nonsending) static func denyAuthorization(
    data: SEConfirmAuthorizationRequestData
  ) async throws(SEAuthenticatorError) -> SEConfirmAuthorizationResponse {
    try await decide(data, confirms: false).answer()
  }

  private static func list(_ data: SEBaseAuthenticatedRequestData) -> PublishedCall<SEEncryptedListResponse> {
    PublishedCall({ SEEncryptedListResponse($0.items) }) { () throws(AuthenticatorError) in
      try SaltEdgeV1Calls.authorizations(data.access)
    }
  }

  private static func show(_ data: SEBaseAuthenticatedWithIdRequestData) -> PublishedCall<SEEncryptedDataResponse> {
    PublishedCall(SEEncryptedDataResponse.init) { () throws(AuthenticatorError) in
      try SaltEdgeV1Calls.authorization(data.entityId, data.access)
    }
  }

  private static func decide(
    _ data: SEConfirmAuthorizationRequestData, confirms: Bool
  ) -> PublishedCall<SEConfirmAuthorizationResponse> {
    PublishedCall(SEConfirmAuthorizationResponse.init, needsPresence: confirms) { () throws(AuthenticatorError) in
      try SaltEdgeV1Calls.decide(
        data.entityId, .init(confirm: confirms, code: data.authorizationCode), geolocation: data.geolocation,
        authorizationType: data.authorizationType, data.access)
    }
  }
}
