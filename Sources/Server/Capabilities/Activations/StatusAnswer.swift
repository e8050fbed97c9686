import Foundation
import PowerAuthCore

/// How an activation stands, for the device's eyes only (powerauth.md §6).
package struct StatusAnswer: Sendable {
  /// 32 bytes; random ones when there is no such activation.
  package let blob: Data
  /// 16 bytes.
  package let nonce: Data
  /// `{"activationFlags": […]}`, in clear by the protocol: flags are no secrets. Empty for an unknown activation.
  package let customObject: [String: JSONValue]
}
