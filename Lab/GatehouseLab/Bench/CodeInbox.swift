// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import GatehouseApp
import Synchronization

/// Where a measurement's messages go: the newest text to each recipient, taken by the customer who waits for it.
final class CodeInbox: Sendable {
  /// How long a customer waits, and how often they look.
  static let waitMax = Duration.seconds(30)
  static let look = Duration.milliseconds(1)

  struct NoCode: Error {}

  private let texts = Mutex<[String: String]>([:])

  var messenger: Messenger {
    Messenger(
      sms: SMSGateway { message in self.texts.withLock { $0[message.recipient] = message.body } },
      mail: MailGateway { message in self.texts.withLock { $0[message.recipient] = message.body } })
  }

  /// The code to that recipient, once it came. Blocks the thread.
  func code(to recipient: String) throws -> String {
    for _ in 0..<Int(Self.waitMax / Self.look) {
      if let text = texts.withLock({ $0.removeValue(forKey: recipient) }),
        let code = text.firstMatch(of: #/\b[0-9]{6}\b/#)
      {
        return String(code.output)
      }
      Thread.sleep(forTimeInterval: Self.look.inSeconds)
    }
    throw NoCode()
  }
}
