// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file of payments as another bank, or a program in between, hands it over; and what is written of it.
func fuzz(_ bytes: Data) {
  guard let message = try? PaymentMessage.read(bytes), let written = try? message.xml() else { return }
  precondition((try? PaymentMessage.read(written)) == message, "What is written of a message is not what was read.")
}
