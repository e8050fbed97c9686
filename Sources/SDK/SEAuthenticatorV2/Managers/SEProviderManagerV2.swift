// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import SaltEdgeAuthenticator
public import SEAuthenticatorCore

/// What the service says of banks. Every call is there with closures, of which one is called once on the queue with the
/// answer or with the error class, and for those who wait.
public struct SEProviderManagerV2 {
  /// Asks for a bank's configuration (saltedge-authenticator §5.1).
  /// - Parameter url: of the configuration, as the QR code has it.
  @preconcurrency
  public static func fetchProviderData(
    url: URL, completionQueue: DispatchQueue = .main,
    onSuccess: SEHTTPResponse<SEProviderResponseV2>, onFailure: @escaping FailureBlock
  ) {
    configuration(url).report(on: completionQueue, onSuccess, onFailure)
  }

  /// The same, for those who wait.
  public nonisolated(nonsending) static func fetchProviderData(
    url: URL
  ) async throws(SEAuthenticatorError) -> SEProviderResponseV2 {
    try await configuration(url).answer()
  }

  private static func configuration(_ url: URL) -> PublishedCall<SEProviderResponseV2> {
    PublishedCall(SEProviderResponseV2.init) { SaltEdgeV2Calls.configuration(at: url) }
  }
}
