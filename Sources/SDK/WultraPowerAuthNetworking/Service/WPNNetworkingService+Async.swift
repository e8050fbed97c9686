// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import PowerAuth2
public import PowerAuthCore

/// The same calls for those who wait. Cancelling the task cancels the call.
extension WPNNetworkingService {
  /// Posts without a proof.
  public func post<Request, Response>(
    data: Request, to endpoint: WPNEndpointBasic<Request, Response>, with headers: [String: String]? = nil,
    encryptedWith encryptor: PowerAuthCoreEciesEncryptor? = nil, timeoutInterval: TimeInterval? = nil,
    progressCallback: (@Sendable (Double) -> Void)? = nil
  ) async throws(WPNError) -> sending Response {
    let call = try Call(
      data, endpoint, .none, headers, encryptor, timeoutInterval, progressCallback, by: jsonEncoder)
    return try await reply(to: call).read(as: Response.self, by: jsonDecoder)
  }

  /// Posts with a signature.
  public func post<Request, Response>(
    data: Request, signedWith authentication: PowerAuthAuthentication,
    to endpoint: WPNEndpointSigned<Request, Response>, with headers: [String: String]? = nil,
    encryptedWith encryptor: PowerAuthCoreEciesEncryptor? = nil, timeoutInterval: TimeInterval? = nil,
    progressCallback: (@Sendable (Double) -> Void)? = nil
  ) async throws(WPNError) -> sending Response {
    let call = try Call(
      data, endpoint, .signature(authentication, uriId: endpoint.uriId), headers, encryptor, timeoutInterval,
      progressCallback, by: jsonEncoder)
    return try await reply(to: call).read(as: Response.self, by: jsonDecoder)
  }

  /// Posts with a token, which is made with these factors if it is not there.
  public func post<Request, Response>(
    data: Request, signedWith authentication: PowerAuthAuthentication,
    to endpoint: WPNEndpointSignedWithToken<Request, Response>, with headers: [String: String]? = nil,
    encryptedWith encryptor: PowerAuthCoreEciesEncryptor? = nil, timeoutInterval: TimeInterval? = nil,
    progressCallback: (@Sendable (Double) -> Void)? = nil
  ) async throws(WPNError) -> sending Response {
    let call = try Call(
      data, endpoint, .token(authentication, name: endpoint.tokenName), headers, encryptor, timeoutInterval,
      progressCallback, by: jsonEncoder)
    return try await reply(to: call).read(as: Response.self, by: jsonDecoder)
  }

  private func reply(to call: Call) async throws(WPNError) -> Reply {
    guard !Task.isCancelled else { throw .canceled() }
    let pending = PendingCall()
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        pending.start(line(call) { continuation.resume(returning: $0) })
      }
    } onCancel: {
      pending.cancel()
    }
    return try outcome.get()
  }
}
