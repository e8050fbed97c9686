// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import Kit
import Ledger
import Storage

/// Money that came by Interac: by itself onto an account, or waiting to be taken (finaptic §8.8).
struct IncomingTransfer: Sendable, Equatable {
  /// What the network calls it: random, so that it cannot be guessed.
  struct Number: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    let rawValue: String

    init(rawValue: String) { self.rawValue = rawValue }

    /// `CA` and ten letters and digits.
    init(_ world: World) {
      rawValue = "CA" + (0..<10).map { _ in String(Self.letters[Int(world.number(below: 62))]) }.joined()
    }

    var description: String { rawValue }

    private static let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
  }

  /// What is sealed.
  struct Content: Sendable, Codable, Equatable {
    let alias: InteracAlias
    let senderName: String
    let senderMemo: String?
    let question: String?
    /// Goes behind the answer before it is hashed.
    let salt: String?
    let remittance: FinapticAPI.Remittance?
    var recipientMemo: String?
  }

  enum Kind: String, Sendable, CaseIterable, SQLConvertible {
    /// By a registration, without an action of its recipient.
    case autodeposit
    /// Taken by its recipient, who may have to answer a question first.
    case regular
  }

  let number: Number
  let tenant: Int
  let kind: Kind
  /// Nil until it is known whom it is for.
  var customer: String?
  var status: IncomingTransferStatus
  let amount: Money
  var content: Content
  /// Keyed digest of the right answer's hash; nil when nothing is asked.
  let answerDigest: String?
  var wrongAnswers: Int
  /// Where it went.
  var account: String?
  /// The ledger's transfer that brought it there.
  var transaction: String?
  let expiresAt: Instant
  let createdAt: Instant
  /// When it was taken or ended.
  var endedAt: Instant?
  let version: Int

  /// A wait that is over counts as one that was ended, also before the worker has seen it.
  func status(at now: Instant) -> IncomingTransferStatus {
    incomingTransferFlow.allows(.expired, from: status) && expiresAt <= now ? .canceled : status
  }

  func view(at now: Instant) -> FinapticAPI.IncomingTransfer {
    FinapticAPI.IncomingTransfer(
      interacPaymentNumber: number.rawValue, transferStatus: status(at: now).rawValue,
      transferAmount: .init(amount: amount.decimal, currency: amount.currency),
      expiryDate: .init(millisecondsSince1970: expiresAt.milliseconds), initiatorName: content.senderName,
      authenticationRequired: answerDigest != nil, securityQuestion: content.question,
      senderMemo: content.senderMemo, hashSalt: content.salt, hashAlgorithm: content.salt == nil ? nil : "SHA256")
  }
}

/// The answer to a security question as it is hashed on the phone (finaptic §8.8).
enum SecurityAnswer {
  /// Trimmed, in capitals, with the salt behind it, as ISO 8859-1, by SHA-256, in lower-case hexadecimal.
  /// - Returns: nil for an answer that ISO 8859-1 has no letters for, or that is blank.
  static func hash(of answer: String, salt: String) -> String? {
    let text = answer.trimmingCharacters(in: .whitespacesAndNewlines).uppercased()
    guard !text.isEmpty else { return nil }
    return (text + salt).data(using: .isoLatin1)?.sha256Hex
  }
}
