// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import SaltEdgeAuthenticator
internal import SaltEdgeWire
public import SEAuthenticatorCore

/// Actions that were started elsewhere, in v2. Every call is there with closures, of which one is called once on the
/// queue with the answer or with the error class, and for those who wait.
public struct SEActionManagerV2 {
  /// Submits the action of a QR code (saltedge-authenticator §5.8).
  @preconcurrency
  public static func submitAction(
    data: SEActionRequestDataV2, completionQueue: DispatchQueue = .main,
    onSuccess: SEHTTPResponse<SESubmitActionResponseV2>, onFailure: @escaping FailureBlock
  ) {
    submit(data).report(on: completionQueue, onSuccess, onFailure)
  }

  /// The same, for those who wait.
  public nonisolated(nonsending) static func submitAction(
    data: SEActionRequestDataV2
  ) async throws(SEAuthenticatorError) -> SESubmitActionResponseV2 {
    try await submit(data).answer()
  }

  private static func submit(_ data: SEActionRequestDataV2) -> PublishedCall<SESubmitActionResponseV2> {
    PublishedCall(SESubmitActionResponseV2.init) { () throws(AuthenticatorError) in
      let submission = SaltEdgeV2.ActionSubmission(
        providerID: .init(data.providerId), actionID: .init(data.actionId), connectionID: .init(data.connectionId))
      return try SaltEdgeV2Calls.submitAction(submission, data.access)
    }
  }
}
