// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import GatehouseTransport
public import PowerAuth2

extension WPNNetworkingService {
  /// Gets an answer that goes on, such as server-sent events, with a token as proof. Ours: published servers have none.
  /// - Parameters:
  ///   - path: below the base URL.
  ///   - name: of the token on this device, which is made with these factors if it is not there.
  ///   - headers: go before those of the service.
  ///   - silenceMax: seconds for the head of the answer, and between any two parts of it.
  /// - Returns: whatever the server answered, a refusal too; nil on a network that takes answers whole only.
  public func open(
    _ path: String, tokenName name: String, signedWith authentication: PowerAuthAuthentication,
    with headers: [String: String] = [:], silenceMax: TimeInterval
  ) async throws(WPNError) -> TransportStream? {
    let call = Call(
      path: path, proof: .token(authentication, name: name), body: Data(), headers: headers, encryptor: nil,
      timeout: silenceMax, progress: nil)
    return try await sender.open(call)
  }
}
