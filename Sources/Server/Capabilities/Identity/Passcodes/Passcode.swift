// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// How a code reaches its reader.
package enum PasscodeChannel: String, SQLConvertible, CaseIterable { case sms, email }

/// What a code is good for. A code counts only where all four are the same (NIST SP 800-63B-4 §3.1.3, Rubix §8.2).
package struct PasscodeBinding: Sendable, Hashable {
  package let channel: PasscodeChannel
  /// E.164 number or e-mail address; kept as a keyed digest only.
  package let destination: String
  /// Id of the customer.
  package let subject: String
  /// What the code confirms, `confirm-contact`.
  package let purpose: String

  package init(_ channel: PasscodeChannel, to destination: String, subject: String, purpose: String) {
    self.channel = channel
    self.destination = destination
    self.subject = subject
    self.purpose = purpose
  }
}

/// One promise to send a code, as the store keeps it. The code itself is nowhere.
package struct Passcode: Sendable {
  package typealias ID = Identifier<Passcode>

  package enum State: String, SQLConvertible {
    /// Promised, not made yet.
    case requested
    /// Made and waiting to be typed.
    case issued
    case used
    /// Replaced by a newer one, or out of tries.
    case void
  }

  let id: ID
  let channel: PasscodeChannel
  let destinationDigest: String
  let subject: String
  let purpose: String
  let state: State
  let tries: Int
  let requestedAt: Instant
  /// Nil until issued.
  let expiresAt: Instant?
}

/// One promised code as its subject may be told of it.
package struct PasscodeRecord: Sendable {
  package let channel: String
  package let purpose: String
  package let state: String
  package let tries: Int
  package let requestedAt: Instant
  /// Nil when no message left.
  package let issuedAt: Instant?
}

/// What the customer is told after asking for a code.
package struct PasscodeRequest: Sendable, Equatable {
  /// Goes into the outbox, for `Passcodes.issue`.
  package let id: Passcode.ID
  /// Life of the code once it is made.
  package let expiresIn: Duration
  /// Until another may be asked for.
  package let resendIn: Duration
  /// How many more may be asked for before a limit of the hour or the day.
  package let sendsLeft: Int
  /// Digits.
  package let codeLength: Int
}

/// A fresh code in clear, on its way into one message.
package struct IssuedPasscode: Sendable {
  package let code: String
  package let expiresAt: Instant
}

/// How a try ended. A value and never an error, because the try must stay counted.
package enum PasscodeOutcome: Sendable, Equatable {
  case accepted
  /// Wrong. With none left the code is void and another has to be asked for.
  case refused(attemptsLeft: Int)
  case expired
  /// Too many wrong codes for this subject and channel; nothing was compared.
  case locked(retryAfter: Duration)
  /// No code is waiting: never sent, used, or void.
  case none
  /// Not six digits, so not a guess either: nothing was counted.
  case malformed
}
