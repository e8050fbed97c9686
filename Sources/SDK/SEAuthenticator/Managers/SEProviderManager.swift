// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import SaltEdgeAuthenticator
public import SEAuthenticatorCore

/// What banks say of themselves. Every call is there with closures, of which one is called once on the queue with the
/// answer or with the error class, and for those who wait.
public struct SEProviderManager {
  /// Asks a bank for its configuration (saltedge-authenticator §4.1).
  /// - Parameter url: of the configuration, as the QR code has it.
  @preconcurrency
  public static func fetchProviderData(
    url: URL, completionQueue: DispatchQueue = .main,
    onSuccess: SEHTTPResponse<SEProviderResponse>, onFailure: @escaping FailureBlock
  ) {
    configuration(url).report(on: completionQueue, onSuccess, onFailure)
  }

  /// The same, for those who wait.
  public nonisolated(nonsending) static func fetchProviderData(
    url: URL
  ) async throws(SEAuthenticatorError) -> SEProviderResponse {
    try await configuration(url).answer()
  }

  private static func configuration(_ url: URL) -> PublishedCall<SEProviderResponse> {
    PublishedCall(SEProviderResponse.init) { SaltEdgeV1Calls.configuration(at: url) }
  }
}
