// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import SaltEdgeAuthenticator
public import SEAuthenticatorCore

/// What waits for the customer, in v2. Every call is there with closures, of which one is called once on the queue with
/// the answer or with the error class, and for those who wait.
public struct SEAuthorizationManagerV2 {
  /// Lists what waits, and for a while what does not any more (saltedge-authenticator §5.6). An entry that cannot be
  /// read is left out.
  /// - Parameter actionId: only those of an action. Not in the published SDK for iOS.
  @preconcurrency
  public static func getEncryptedAuthorizations(
    data: SEBaseAuthenticatedRequestData, actionId: ID? = nil, completionQueue: DispatchQueue = .main,
    onSuccess: SEHTTPResponse<SEEncryptedAuthorizationsListResponse>, onFailure: @escaping FailureBlock
  ) {
    list(data, actionId).report(on: completionQueue, onSuccess, onFailure)
  }

  /// The same, for those who wait.
  public nonisolated(nonsending) static func getEncryptedAuthorizations(
    data: SEBaseAuthenticatedRequestData, actionId: ID? = nil
  ) async throws(SEAuthenticatorError) -> SEEncryptedAuthorizationsListResponse {
    try await list(data, actionId).answer()
  }

  /// Shows one (saltedge-authenticator §5.6).
  @preconcurrency
  public static func getEncryptedAuthorization(
    data: SEBaseAuthenticatedWithIdRequestData, completionQueue: DispatchQueue = .main,
    onSuccess: SEHTTPResponse<SEEncryptedAuthorizationDataResponse>, onFailure: @escaping FailureBlock
  ) {
    show(data).report(on: completionQueue, onSuccess, onFailure)
  }

  /// The same, for those who wait.
  public nonisolated(nonsending) static func getEncryptedAuthorization(
    data: SEBaseAuthenticatedWithIdRequestData
  ) async throws(SEAuthenticatorError) -> SEEncryptedAuthorizationDataResponse {
    try await show(data).answer()
  }

  /// Confirms (saltedge-authenticator §5.7). Only after the customer's passcode or biometrics.
  @preconcurrency
  public static func confirmAuthorization(
    data: SEConfirmAuthorizationRequestData, completionQueue: DispatchQueue = .main,
    onSuccess: SEHTTPResponse<SEConfirmAuthorizationResponseV2>, onFailure: @escaping FailureBlock
  ) {
    decide(data, confirms: true).report(on: completionQueue, onSuccess, onFailure)
  }

  /// The same, for those who wait.
  public nonisolated(nonsending) static func confirmAuthorization(
    data: SEConfirmAuthorizationRequestData
  ) async throws(SEAuthenticatorError) -> SEConfirmAuthorizationResponseV2 {
    try await decide(data, confirms: true).answer()
  }

  /// Denies (saltedge-authenticator §5.7).
  @preconcurrency
  public static func denyAuthorization(
    data: SEConfirmAuthorizationRequestData, completionQueue: DispatchQueue = .main,
    onSuccess: SEHTTPResponse<SEConfirmAuthorizationResponseV2>, onFailure: @escaping FailureBlock
  ) {
    decide(data, confirms: false).report(on: completionQueue, onSuccess, onFailure)
  }

  /// The same, for those who wait.
  public nonisolated(nonsending) static func denyAuthorization(
    data: SEConfirmAuthorizationRequestData
  ) async throws(SEAuthenticatorError) -> SEConfirmAuthorizationResponseV2 {
    try await decide(data, confirms: false).answer()
  }

  private static func list(
    _ data: SEBaseAuthenticatedRequestData, _ actionId: ID?
  ) -> PublishedCall<SEEncryptedAuthorizationsListResponse> {
    PublishedCall(SEEncryptedAuthorizationsListResponse.init) { () throws(AuthenticatorError) in
      try SaltEdgeV2Calls.authorizations(actionID: actionId, data.access)
    }
  }

  private static func show(
    _ data: SEBaseAuthenticatedWithIdRequestData
  ) -> PublishedCall<SEEncryptedAuthorizationDataResponse> {
    PublishedCall(SEEncryptedAuthorizationDataResponse.init) { () throws(AuthenticatorError) in
      try SaltEdgeV2Calls.authorization(data.entityId, data.access)
    }
  }

  private static func decide(
    _ data: SEConfirmAuthorizationRequestData, confirms: Bool
  ) -> PublishedCall<SEConfirmAuthorizationResponseV2> {
    PublishedCall(SEConfirmAuthorizationResponseV2.init, needsPresence: confirms) { () throws(AuthenticatorError) in
      let access = try data.access
      return try SaltEdgeV2Calls.decide(
        data.entityId, confirms: confirms, SEAuthorizationRequestData(data).sealed, access)
    }
  }
}
