// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import Kit
import Ledger

/// What the processor of a card issuer sends and gets. Members are in snake case and read strictly. Ids are the
/// issuer's, 1 to 64 visible characters of ASCII.
enum IssuerBodies {
  struct Merchant: Codable, Sendable {
    let name: String
    /// As in `MONTREAL QC`.
    let place: String?
    /// Four digits (ISO 18245).
    let category_code: String?
  }

  /// Whether a card may pay, which holds the money when it may.
  struct Authorization: Codable, Sendable {
    let message_id: String
    /// What the later messages name.
    let authorization_id: String
    /// What the issuer knows the card by.
    let card_reference: String
    let amount: FinapticAPI.Amount
    let merchant: Merchant
    /// Whether the terminal takes less than it asks for.
    let partial_allowed: Bool?
    /// When it ends by itself; nil for the installation's own time.
    let expires_at: String?
  }

  /// Of an authorization: more, less or nothing is to be held.
  struct Change: Codable, Sendable {
    let message_id: String
    let authorization_id: String
    /// Of an increment, what is added; of a reversal, what is given back, nil for all of it.
    let amount: FinapticAPI.Amount?
  }

  /// The merchant takes the money, or gives it back.
  struct Booking: Codable, Sendable {
    let message_id: String
    /// Nil where the merchant asked for no authorization.
    let authorization_id: String?
    let card_reference: String
    let amount: FinapticAPI.Amount
    let merchant: Merchant
  }

  struct Chargeback: Codable, Sendable {
    let message_id: String
    /// What the later messages name.
    let dispute_id: String
    let authorization_id: String
    /// Nil for all that is left of the payment.
    let amount: FinapticAPI.Amount?
    /// The network's code of why.
    let reason_code: String
  }

  struct DisputeStep: Codable, Sendable {
    enum Event: String, Codable, Sendable { case represented = "REPRESENTED", won = "WON", lost = "LOST" }

    let message_id: String
    let dispute_id: String
    let event: Event
  }

  /// A message, by what it asks for.
  enum Message: Sendable {
    case authorize(Authorization)
    case increase(Change), reverse(Change), expire(Change)
    case clear(Booking), refund(Booking)
    case openDispute(Chargeback), stepDispute(DisputeStep)

    /// As it was sent.
    var content: any Encodable & Sendable {
      switch self {
      case .authorize(let body): body
      case .increase(let body), .reverse(let body), .expire(let body): body
      case .clear(let body), .refund(let body): body
      case .openDispute(let body): body
      case .stepDispute(let body): body
      }
    }

    var id: String {
      switch self {
      case .authorize(let body): body.message_id
      case .increase(let body), .reverse(let body), .expire(let body): body.message_id
      case .clear(let body), .refund(let body): body.message_id
      case .openDispute(let body): body.message_id
      case .stepDispute(let body): body.message_id
      }
    }
  }

  /// The answer to each message, for ever.
  struct Outcome: Codable, Sendable, Equatable {
    let message_id: String
    /// ISO 8583, DE 39.
    let response_code: String
    var payment_id: String?
    /// As the account's people see it.
    var transaction_id: String?
    /// What is held now, or was booked.
    var amount: FinapticAPI.Amount?
    /// What of it is on the suspense account, where a person decides.
    var suspended: FinapticAPI.Amount?
    /// Of a dispute: OPENED, CREDITED, REPRESENTED, CREDITED_REPRESENTED, WON or LOST.
    var dispute: String?

    init(_ message: String, _ code: CardResponseCode = .approved, _ payment: CardPayment? = nil) {
      (message_id, response_code, payment_id) = (message, code.rawValue, payment?.id.rawValue)
    }
  }
}

// MARK: Rules

extension FinapticAPI.Amount {
  /// - Throws: `Problem` validation unless it is more than nothing, in the bank's currency.
  func cardMoney() throws -> Money {
    guard currency == InternalAccounts.currency, let money = Money(decimal: amount, currency: currency),
      money.minorUnits > 0
    else {
      throw Problem.validation([
        .init("/amount", "range", "More than 0, at most two decimals, in \(InternalAccounts.currency).")
      ])
    }
    return money
  }
}

extension IssuerBodies {
  /// - Throws: `Problem` validation unless it is 1 to 64 visible characters of ASCII.
  static func id(_ text: String, _ member: String) throws -> String {
    guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Problem.validation([.init("/\(member)", "format", "1 to 64 visible characters of ASCII.")])
    }
    return text
  }
}

extension IssuerBodies.Merchant {
  /// - Throws: `Problem` validation.
  func checked() throws -> BankTransaction.Particulars.Merchant {
    func isText(_ text: String, _ range: ClosedRange<Int>) -> Bool {
      range.contains(text.unicodeScalars.count) && DisplayedText.isPlain(text)
    }
    guard isText(name, 1...99), isText(place ?? "", 0...99) else {
      throw Problem.validation([
        .init("/merchant/name", "length", "Name and place: at most 99 characters that can be seen.")
      ])
    }
    guard category_code?.wholeMatch(of: /[0-9]{4}/) != nil || category_code == nil else {
      throw Problem.validation([.init("/merchant/category_code", "format", "Four digits.")])
    }
    return .init(name: name, place: place ?? "", categoryCode: category_code ?? CardPayments.defaultCategory)
  }
}
