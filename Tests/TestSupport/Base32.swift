// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Data {
  /// The secret of an authenticator app from its text (RFC 4648 §6), whose spaces are for people.
  package init(base32 text: some StringProtocol) {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    var (buffer, bits, bytes) = (0, 0, Data())
    for letter in text where letter != " " {
      buffer = (buffer << 5 | (alphabet.firstIndex(of: letter) ?? 0)) & 0xfff
      bits += 5
      guard bits >= 8 else { continue }
      bits -= 8
      bytes.append(UInt8(buffer >> bits & 0xff))
    }
    self = bytes
  }
}
