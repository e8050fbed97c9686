// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import SaltEdgeAuthenticator
public import SEAuthenticatorCore

/// What third parties may, in v1. Every call is there with closures, of which one is called once on the queue with the
/// answer or with the error class, and for those who wait.
public struct SEConsentManager {
  /// Lists consents (saltedge-authenticator §4.9). An entry that cannot be read is left out.
  @preconcurrency
  public static func getEncryptedConsents(
    data: SEBaseAuthenticatedRequestData, completionQueue: DispatchQueue = .main,
    onSuccess: SEHTTPResponse<SEEncryptedListResponse>, onFailure: @escaping FailureBlock
  ) {
    list(data).report(on: completionQueue, onSuccess, onFailure)
  }

  /// The same, for those who wait.
  public nonisolated(nonsending) static func getEncryptedConsents(
    data: SEBaseAuthenticatedRequestData
  ) async throws(SEAuthenticatorError) -> SEEncryptedListResponse {
    try await list(data).answer()
  }

  /// Revokes a consent (saltedge-authenticator §4.9).
  @preconcurrency
  public static func revokeConsent(
    data: SEBaseAuthenticatedWithIdRequestData, completionQueue: DispatchQueue = .main,
    onSuccess: SEHTTPResponse<SERevokeConsentResponse>, onFailure: @escaping FailureBlock
  ) {
    revoke(data).report(on: completionQueue, onSuccess, onFailure)
  }

  /// The same, for those who wait.
  public nonisolated(nonsending) static func revokeConsent(
    data: SEBaseAuthenticatedWithIdRequestData
  ) async throws(SEAuthenticatorError) -> SERevokeConsentResponse {
    try await revoke(data).answer()
  }

  private static func list(_ data: SEBaseAuthenticatedRequestData) -> PublishedCall<SEEncryptedListResponse> {
    PublishedCall({ SEEncryptedListResponse($0.items) }) { () throws(AuthenticatorError) in
      try SaltEdgeV1Calls.consents(data.access)
    }
  }

  private static func revoke(_ data: SEBaseAuthenticatedWithIdRequestData) -> PublishedCall<SERevokeConsentResponse> {
    PublishedCall(SERevokeConsentResponse.init) { () throws(AuthenticatorError) in
      try SaltEdgeV1Calls.revokeConsent(data.entityId, data.access)
    }
  }
}
