import Foundation
import PowerAuthCore

/// How an activation stands, for the device's eyes only (powerauth.md §6).
package struct StatusAnswer: Sendable {
  /// 32 bytes; when there is no such activation nobody can open them.
  package let blob: Data
  /// 16 bytes.
  package let nonce: Data
  /// `{"activationFlags": […]}`, in clear by the protocol: flags are no secrets. No flags for an unknown activation.
  package let customObject: [String: JSONValue]
}
