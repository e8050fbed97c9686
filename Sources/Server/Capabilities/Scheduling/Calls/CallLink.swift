// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// What stands at the end of the address where a customer joins a call on our own page.
///
/// A token is the id of the appointment and its keyed digest (HMAC-SHA-256), in hexadecimal digits. It is kept nowhere:
/// a reader of the database or of a backup cannot make one without the key ring. It is good for this one appointment,
/// so that a call that was moved or called off has none any more; the calendar says when it opens the call.
package enum CallLink {
  private static let (idLength, length) = (32, 96)

  package static func token(of call: Appointment.ID, _ vault: Vault) -> String {
    call.rawValue.replacing("-", with: "") + vault.digest(call.rawValue, for: "call link of a customer")
  }

  /// - Returns: nil for what we did not make.
  package static func call(of token: String, _ vault: Vault) -> Appointment.ID? {
    guard token.utf8.count == length,
      token.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
    else { return nil }
    var id = String(token.prefix(idLength))
    for place in [20, 16, 12, 8] { id.insert("-", at: id.index(id.startIndex, offsetBy: place)) }
    let call = Appointment.ID(rawValue: id)
    return Data(token.utf8).isEqualInConstantTime(to: Self.token(of: call, vault).utf8) ? call : nil
  }
}
