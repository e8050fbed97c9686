// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Data {
  /// Base64 with padding (RFC 4648 §4), and only the one spelling that encoding these bytes gives: other spellings
  /// would let a text be changed without changing what it means.
  init?(canonicalBase64 text: String) {
    guard let bytes = Data(base64Encoded: text), bytes.base64EncodedString() == text else { return nil }
    self = bytes
  }

  /// Base64url without padding (RFC 7515 §2), the one spelling.
  init?(canonicalBase64URL text: String) {
    guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "=") }) else {
      return nil
    }
    let standard = text.replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
    guard let bytes = Data(canonicalBase64: standard + padding) else { return nil }
    self = bytes
  }

  var base64URL: String {
    base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}
