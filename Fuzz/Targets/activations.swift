// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What people type or scan to activate a device: codes, codes of recovery and their secret.
func fuzz(_ bytes: Data) {
  let typed = text(bytes)
  if let code = try? ActivationCode(text: typed) { precondition(code.text == typed) }
  if let code = try? RecoveryCode(text: typed) { precondition(code.text == typed || code.scannable == typed) }
  if let puk = try? RecoveryPUK(text: typed) { precondition(puk.text == typed) }
  // What a person types, as an app corrects it letter by letter.
  let corrected = String(typed.compactMap { $0 == "-" ? $0 : ActivationCode.correctedCharacter($0) })
  if let code = try? ActivationCode(text: corrected) { precondition(code.text == corrected) }
}
