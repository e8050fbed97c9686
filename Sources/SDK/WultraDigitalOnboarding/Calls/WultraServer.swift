// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import PowerAuth2
internal import PowerAuthCore
internal import WultraPowerAuthNetworking
internal import WultraWire

/// The server's calls, each proved and hidden as the wire says (wultra-onboarding.md §2, §3).
struct WultraServer: Sendable {
  /// Seconds for pictures to arrive and to be looked at.
  static let submitTimeout: TimeInterval = 180
  static let documentStatusTimeout: TimeInterval = 120

  let networking: WPNNetworkingService

  /// Makes a call that has a result.
  func call<Request: Encodable, Answer: Decodable & Sendable>(
    _ endpoint: Wultra.Endpoint, _ request: Request, timeout: TimeInterval? = nil,
    progress: (@Sendable (Double) -> Void)? = nil, as _: Answer.Type = Answer.self
  ) async throws(WPNError) -> Answer {
    let response: WPNResponse<Answer> = try await post(endpoint, request, timeout, progress)
    guard let answer = response.responseObject else { throw WPNError(reason: .network_invalidResponseObject) }
    return answer
  }

  /// Makes a call that has none.
  func tell<Request: Encodable>(
    _ endpoint: Wultra.Endpoint, _ request: Request, timeout: TimeInterval? = nil,
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(WPNError) {
    let _: WPNResponseBase = try await post(endpoint, request, timeout, progress)
  }

  private func post<Request: Encodable, Response: WPNResponseBase>(
    _ endpoint: Wultra.Endpoint, _ request: Request, _ timeout: TimeInterval?,
    _ progress: (@Sendable (Double) -> Void)?
  ) async throws(WPNError) -> sending Response {
    let path = endpoint.rawValue
    let body = WPNRequest(request)
    let encryptor = try await encryptor(for: endpoint.security)
    switch endpoint.security {
    case .open, .encryptedForApplication, .encryptedForActivation:
      return try await networking.post(
        data: body, to: WPNEndpointBasic<WPNRequest<Request>, Response>(endpointURLPath: path),
        encryptedWith: encryptor, timeoutInterval: timeout, progressCallback: progress)
    case .signed:
      return try await networking.post(
        data: body, signedWith: .possession(),
        to: WPNEndpointSigned<WPNRequest<Request>, Response>(endpointURLPath: path, uriId: endpoint.uriID),
        encryptedWith: encryptor, timeoutInterval: timeout, progressCallback: progress)
    case .token:
      return try await networking.post(
        data: body, signedWith: .possession(),
        to: WPNEndpointSignedWithToken<WPNRequest<Request>, Response>(
          endpointURLPath: path, tokenName: Wultra.tokenName),
        encryptedWith: encryptor, timeoutInterval: timeout, progressCallback: progress)
    case .presenceSession:
      // The library of the presence check makes these itself.
      throw WPNError(reason: .network_invalidRequestObject)
    }
  }

  /// What encrypts the request; nil where it goes in the clear.
  private func encryptor(for security: Wultra.Endpoint.Security) async throws(WPNError) -> PowerAuthCoreEciesEncryptor?
  {
    do {
      switch security {
      case .open, .presenceSession, .signed(encrypted: false), .token(encrypted: false): return nil
      case .encryptedForApplication: return try await networking.powerAuth.eciesEncryptorForApplicationScope()
      case .encryptedForActivation, .signed(encrypted: true), .token(encrypted: true):
        return try await networking.powerAuth.eciesEncryptorForActivationScope()
      }
    } catch {
      throw WPNError.powerAuth(error)
    }
  }
}
