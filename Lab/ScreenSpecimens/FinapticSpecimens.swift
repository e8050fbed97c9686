// SPDX-License-Identifier: Apache-2.0

package import Finaptic
package import FinapticUI
package import Foundation
internal import GatehouseUI

/// What the app of a bank's customer shows where no bank is.
package enum FinapticSpecimen {
  private static let day = Date(timeIntervalSince1970: Double(ScreenSpecimen.now.millisecondsSince1970) / 1000)
  /// Of transfers.
  package static let key = UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16))

  package static func amount(_ cents: Int) -> Amount { Amount(amount: Decimal(cents) / 100, currency: "CAD") }

  package static func account(_ id: String, _ name: String, _ number: AccountNumber? = nil) -> Account {
    Account(
      id: id, balance: Balance(actual: amount(12_050), available: amount(10_000)), name: name,
      sourceDomain: "core-banking", owners: ["c1"], authorizedUsers: [], number: number)
  }

  /// With a number of Canada and an IBAN.
  package static let accounts = [
    account(
      "a1", "Everyday",
      AccountNumber(country: "CA", institution: "003", transit: "12345", number: "0000000153", iban: nil)),
    account(
      "a2", "Savings",
      AccountNumber(
        country: "DE", institution: "37040044", transit: nil, number: "0532013000", iban: "DE89370400440532013000")),
  ]

  package static let transaction = Transaction(
    transactionId: "t1", lifecycleTransactionId: "l1", amount: amount(-1_230), transactorName: "Café Utopia",
    balance: Balance(actual: amount(12_050), available: amount(10_000)), transactionState: .posted,
    transactionType: .debit, accountId: "a1", category: "", transactionTime: day, accountDomain: "core-banking",
    initiatingDomain: "core-card")

  package static func card(_ state: CardState) -> Card {
    Card(
      id: "k1", cardType: .cardTypePrepaid, accountId: "a1", description: "Prepaid 4242", state: state, ownerId: "c1")
  }

  package static func message(_ id: String, _ role: ParticipantRole, _ text: String) -> ChatMessage {
    ChatMessage(id: id, participantRole: role, displayName: "Ada", content: text, timestamp: day)
  }

  /// Sent before the app ended.
  package static let pending = InitiateTransferRequest(
    sourceAccountId: "a1", destinationAccountId: "a2", fundTransfer: amount(500), idempotencyKey: key)

  /// One for each text of a failure that a part can show.
  private static let failures: [FinapticErrorCode] = [.unavailable, .failedPrecondition]

  /// One of each kind of answer, and of what it may carry.
  package static var answers: [FinapticEvent] {
    var events: [FinapticEvent] = [.started, .signedIn, .signedOut, .sessionOver, .pending(pending), .sign(.resetSent)]
    let signing: [FinapticErrorCode] = failures + [.signinInvalidPassword, .mfaError]
    for code in signing { events.append(.sign(.failed(code))) }
    for code in failures {
      events += [.accounts(.failed(code)), .accounts(.transfer(.failed(code)))]
      events += [.cards(.failed(code)), .chat(.failed(code))]
    }
    let lists: [AccountsScreen.Event] = [
      .listed(accounts), .listed([]), .history([transaction], next: "2", isFirst: true),
      .history([], next: nil, isFirst: true), .transfer(.key(key)),
    ]
    for event in lists { events.append(.accounts(event)) }
    for event: TransferScreen.Event in [.notSent(.transferNotKept), .unsettled(.transferNotMade)] {
      events.append(.accounts(.transfer(event)))
    }
    for status in TransferStatus.allCases { events.append(.accounts(.transfer(.settled(status)))) }
    let cards: [CardsScreen.Event] = [.listed([card(.active)]), .listed([]), .changed(card(.locked))]
    for event in cards { events.append(.cards(event)) }
    let chats: [ChatScreen.Event] = [.listed(threads), .listed([]), .notSaid("Hello"), .said(messages)]
    for event in chats { events.append(.chat(event)) }
    for status in ChatConnectionStatus.allCases { events.append(.chat(.connection(status))) }
    return events
  }

  private static let messages = [
    message("m1", .customer, "Where is my card?"), message("m2", .systemMessage, "Ada has joined."),
    message("m3", .agent, "On its way."),
  ]

  private static let threads = [
    ChatThread(
      id: "h1", lastUpdated: day, status: .waitingForCustomer, subject: "My card", createdAt: day, customerId: "c1")
  ]

  /// The walk through all of it.
  package static func walk(
    _ look: (MachineWalk<FinapticScreens>.Attempt) -> Void = { _ in }
  ) -> MachineWalk<FinapticScreens> {
    MachineWalk(
      from: FinapticScreens(language: .english), answers: answers,
      typed: { id in
        switch id {
        case "email": ["ada@utopia.example"]
        case "password": ["correct horse battery"]
        case "code": ["123456", "12"]
        case "amount": ["12,5", "x"]
        default: ["Where is my card?"]
        }
      }, key: key, look)
  }

  /// What tells states apart whose screens are the same.
  private static func key(_ app: FinapticScreens) -> String {
    switch app.gate {
    case .signedOut(let sign): return "\(sign.email.count) \(sign.password.count)"
    case .open:
      let transfer = app.accounts.transfer.map { "\($0.target ?? "") \($0.amount)" } ?? ""
      return "\(app.accounts.open == nil)\(transfer)\(app.chat.open?.messages.count ?? 0)"
    case .starting, .leaving: return ""
    }
  }
}
