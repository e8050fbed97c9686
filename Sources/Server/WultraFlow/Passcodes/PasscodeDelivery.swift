// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Sends codes. A code is made at the moment it leaves, so that it is nowhere in clear before; a repetition says the
/// same again.
struct PasscodeDelivery: Sendable {
  static let topic = "wultra.sendOTP"

  /// What the effect has to know beside the process.
  struct Order: Sendable {
    let passcode: String
    /// What the code is bound to.
    let destination: String
    let kind: OTPMessage.Kind
    let resend: Bool

    /// Words without blanks: nothing that could not be written.
    var text: String { "\(passcode) \(kind.rawValue) \(resend) \(destination)" }

    init(passcode: String, destination: String, kind: OTPMessage.Kind, resend: Bool) {
      self.passcode = passcode
      self.destination = destination
      self.kind = kind
      self.resend = resend
    }

    /// - Returns: nil for what this program did not write.
    init?(_ text: String) {
      let words = text.split(separator: " ").map(String.init)
      guard words.count == 4, let kind = OTPMessage.Kind(rawValue: words[1]), let resend = Bool(words[2]) else {
        return nil
      }
      self.init(passcode: words[0], destination: words[3], kind: kind, resend: resend)
    }
  }

  let dossiers: Dossiers
  let adapter: OnboardingAdapter
  private var core: CoreDependencies { dossiers.core }

  func perform(_ item: OutboxItem) async throws {
    guard let order = Order(item.payload) else { return }
    let message = try await core.database.write(retrying: .outdatedOrDuplicate) { tx -> OTPMessage? in
      guard let process = try ProcessStore(tx, vault: core.vault).find(.init(rawValue: item.subject)),
        process.status.isOpen,
        let issued = try dossiers.passcodes.issue(.init(rawValue: order.passcode), to: order.destination, in: tx),
        // A person whom the institution does not know has a code too, which is not sent.
        let user = process.person.user
      else { return nil }
      return OTPMessage(
        processId: process.id.rawValue, userId: user, otpCode: issued.code, otpType: order.kind,
        resend: order.resend, language: process.person.language)
    }
    guard let message else { return }
    try await adapter.sendOTP(message, item.id.rawValue)
  }
}
