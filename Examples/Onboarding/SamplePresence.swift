// SPDX-License-Identifier: Apache-2.0

import Foundation
// The network of all SDKs comes with it.
import RubixOnboarding

/// The presence check of our own server: a picture of the face is posted to the path that the check was begun with.
struct SamplePresence: Sendable {
  private let token: String
  private let address: URL

  /// - Parameters:
  ///   - attributes: of `WultraPorts.checkPresence`.
  ///   - base: where the onboarding server is.
  /// - Returns: nil when the check is another library's.
  init?(_ attributes: [String: Any], at base: URL) {
    guard let token = attributes["sessionToken"] as? String, let path = attributes["captureEndpoint"] as? String,
      let address = URL(string: base.absoluteString + path)
    else { return nil }
    (self.token, self.address) = (token, address)
  }

  /// - Parameter face: a JPEG file.
  /// - Returns: whether the server took it.
  func send(_ face: Data) async -> Bool {
    let request = TransportRequest(
      method: "POST", url: address, headers: ["Authorization": "Bearer \(token)", "Content-Type": "image/jpeg"],
      body: face)
    guard let answer = try? await HTTPTransport.live().send(request) else { return false }
    return answer.isSuccess
  }
}
