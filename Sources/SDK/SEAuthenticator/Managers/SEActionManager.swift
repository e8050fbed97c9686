// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import SaltEdgeAuthenticator
public import SEAuthenticatorCore

/// Actions that were started elsewhere, in v1. Every call is there with closures, of which one is called once on the
/// queue with the answer or with the error class, and for those who wait.
public struct SEActionManager {
  /// Submits the action of a QR code (saltedge-authenticator §4.8).
  @preconcurrency
  public static func submitAction(
    data: SEActionRequestData, completionQueue: DispatchQueue = .main,
    onSuccess: SEHTTPResponse<SESubmitActionResponse>, onFailure: @escaping FailureBlock
  ) {
    submit(data).report(on: completionQueue, onSuccess, onFailure)
  }

  /// The same, for those who wait.
  public nonisolated(nonsending) static func submitAction(
    data: SEActionRequestData
  ) async throws(SEAuthenticatorError) -> SESubmitActionResponse {
    try await submit(data).answer()
  }

  private static func submit(_ data: SEActionRequestData) -> PublishedCall<SESubmitActionResponse> {
    PublishedCall(SESubmitActionResponse.init) { () throws(AuthenticatorError) in
      try SaltEdgeV1Calls.submitAction(data.guid, data.access)
    }
  }
}
