// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file of payments as another bank, or a program in between, hands it over; and what is written of it. Read by
/// pages it is as many parts, and wrong where it is wrong as a whole.
func fuzz(_ bytes: Data) {
  let limit = MessagePage.Limit(parts: 1, bytes: .max)
  let first = try? PaymentMessage.page(of: .bytes(bytes), limit: limit)
  guard let message = try? PaymentMessage.read(bytes) else {
    precondition(first == nil, "A page of what is no message.")
    return
  }
  precondition(first != nil, "A message without a first page.")
  if let first, first.count > 1 {
    let last = try? PaymentMessage.page(of: .bytes(bytes), from: first.count - 1, limit: limit)
    precondition(last?.next == first.count, "A message without its last page.")
  }
  guard let written = try? message.xml() else { return }
  precondition((try? PaymentMessage.read(written)) == message, "What is written of a message is not what was read.")
}
