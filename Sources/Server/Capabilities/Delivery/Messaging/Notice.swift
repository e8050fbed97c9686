// SPDX-License-Identifier: Apache-2.0

/// What a message is about. The words for it are in `MessageTexts`.
package enum Notice: Sendable, Equatable {
  /// A code that confirms a phone number or an e-mail address (Rubix §8.2).
  case confirmContact(code: String, minutes: Int)
  case applicationCompleted
  case applicationRejected
  /// People look at the application. Says no more: why is not for the customer.
  case applicationInReview
  /// A review ended well, and the application goes on.
  case applicationContinued
  /// A call failed and may be made again.
  case callAgain
  /// The reviewer asks for other pictures.
  /// - Parameter words: of theirs for the customer. They go where messages are long.
  case retakeAsked(words: String)
  /// A call is near.
  /// - Parameter time: by the clock of the institution, as in `2026-11-27 14:15`.
  case callReminder(time: String)
  /// The institution called a call off.
  case callCancelled
  /// A refresh token was used twice, so that the session ended.
  case sessionEnded
  /// A page that confirms the e-mail address of a person who signed up.
  case verifyEmail(link: String)
  /// A page that takes another password.
  case resetPassword(link: String, minutes: Int)
  /// The second factor of signing in.
  case signInCode(code: String, minutes: Int)
  /// Something was booked. Says no more: it stands on locked screens.
  case transactionCreated
  /// An agent wrote. Says no more: it stands on locked screens.
  case messageReceived
  /// An agent takes part in a conversation.
  case chatJoined(name: String)
  case chatLeft(name: String)
  case chatClosed

  /// Every kind of notice, as it is named among the texts.
  package enum Kind: String, Sendable, CaseIterable {
    case confirmContact = "confirm-contact"
    case applicationCompleted = "application-completed"
    case applicationRejected = "application-rejected"
    case applicationInReview = "application-in-review"
    case applicationContinued = "application-continued"
    case callAgain = "call-again"
    case retakeAsked = "retake-asked"
    case callReminder = "call-reminder"
    case callCancelled = "call-cancelled"
    case sessionEnded = "session-ended"
    case verifyEmail = "verify-email"
    case resetPassword = "reset-password"
    case signInCode = "sign-in-code"
    case transactionCreated = "transaction-created"
    case messageReceived = "message-received"
    case chatJoined = "chat-joined"
    case chatLeft = "chat-left"
    case chatClosed = "chat-closed"
  }

  package var kind: Kind {
    switch self {
    case .confirmContact: .confirmContact
    case .applicationCompleted: .applicationCompleted
    case .applicationRejected: .applicationRejected
    case .applicationInReview: .applicationInReview
    case .applicationContinued: .applicationContinued
    case .callAgain: .callAgain
    case .retakeAsked: .retakeAsked
    case .callReminder: .callReminder
    case .callCancelled: .callCancelled
    case .sessionEnded: .sessionEnded
    case .verifyEmail: .verifyEmail
    case .resetPassword: .resetPassword
    case .signInCode: .signInCode
    case .transactionCreated: .transactionCreated
    case .messageReceived: .messageReceived
    case .chatJoined: .chatJoined
    case .chatLeft: .chatLeft
    case .chatClosed: .chatClosed
    }
  }

  /// The values of its own holes.
  var values: [String: String] {
    switch self {
    case .confirmContact(let code, let minutes), .signInCode(let code, let minutes):
      ["code": code, "minutes": String(minutes)]
    case .verifyEmail(let link): ["link": link]
    case .resetPassword(let link, let minutes): ["link": link, "minutes": String(minutes)]
    case .chatJoined(let name), .chatLeft(let name): ["name": name]
    case .callReminder(let time): ["time": time]
    case .retakeAsked(let words): ["words": words]
    case .applicationCompleted, .applicationRejected, .applicationInReview, .applicationContinued, .callAgain,
      .callCancelled, .sessionEnded, .transactionCreated, .messageReceived, .chatClosed:
      [:]
    }
  }
}

extension Notice.Kind {
  /// The ways that it goes.
  package var channels: [Message.Channel] {
    switch self {
    case .confirmContact, .applicationCompleted, .applicationRejected, .applicationInReview, .applicationContinued,
      .callAgain, .retakeAsked, .callReminder, .callCancelled, .sessionEnded, .signInCode:
      [.sms, .email]
    case .verifyEmail, .resetPassword: [.email]
    case .transactionCreated, .messageReceived: [.push]
    case .chatJoined, .chatLeft, .chatClosed: [.chat]
    }
  }

  /// What its texts may name beside the institution.
  package var names: Set<String> { Set(sample.values.keys) }

  /// What its texts must name: without it they are of no use.
  var needed: Set<String> { names.intersection(["code", "link", "time"]) }

  /// Whether the institution's host is known where it is written.
  var hasHost: Bool {
    switch self {
    case .confirmContact, .applicationCompleted, .applicationRejected, .applicationInReview, .applicationContinued,
      .callAgain, .retakeAsked, .callReminder, .callCancelled, .sessionEnded:
      true
    default: false
    }
  }

  /// One of invented values, to be looked at.
  package var sample: Notice {
    switch self {
    case .confirmContact: .confirmContact(code: "012345", minutes: 5)
    case .applicationCompleted: .applicationCompleted
    case .applicationRejected: .applicationRejected
    case .applicationInReview: .applicationInReview
    case .applicationContinued: .applicationContinued
    case .callAgain: .callAgain
    case .retakeAsked: .retakeAsked(words: "Please lay the passport flat, without a reflection.")
    case .callReminder: .callReminder(time: "2026-11-27 14:15")
    case .callCancelled: .callCancelled
    case .sessionEnded: .sessionEnded
    case .verifyEmail: .verifyEmail(link: "https://bank.example/pages/verify-email/T0k3n")
    case .resetPassword: .resetPassword(link: "https://bank.example/pages/reset-password/T0k3n", minutes: 60)
    case .signInCode: .signInCode(code: "012345", minutes: 5)
    case .transactionCreated: .transactionCreated
    case .messageReceived: .messageReceived
    case .chatJoined: .chatJoined(name: "Ada Tester")
    case .chatLeft: .chatLeft(name: "Ada Tester")
    case .chatClosed: .chatClosed
    }
  }
}
