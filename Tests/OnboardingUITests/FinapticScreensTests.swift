// SPDX-License-Identifier: Apache-2.0

import Finaptic
import Foundation
import GatehouseUI
import ScreenSpecimens
import TestSupport
import Testing

@testable import FinapticUI

@Suite("Screens: Finaptic", .storeless)
struct FinapticScreensTests {
  /// One walk for all tests, and what was wrong on it.
  private static let played = {
    var faults: [String] = []
    let walk = FinapticSpecimen.walk { attempt in
      let screen = attempt.after.screen(in: ScreenSpecimen.context)
      let isBusy = screen.elements.contains { if case .progress = $0 { true } else { false } }
      let calls = attempt.effects.filter { !$0.endsLane && !$0.isWatch && $0.lane != nil }
      if calls.count > 1 || !calls.isEmpty && !isBusy { faults.append("\(calls.count) calls on \(screen.id)") }
      let isTransfer = attempt.effects.contains { if case .transfer = $0 { true } else { false } }
      if isTransfer, attempt.after.accounts.transfer?.request?.idempotencyKey != FinapticSpecimen.key {
        faults.append("a transfer without its key")
      }
    }
    return (walk: walk, faults: faults)
  }()

  private func app(_ events: FinapticEvent...) -> FinapticScreens {
    var app = FinapticScreens(language: .english)
    for event in events { _ = app.handle(event) }
    return app
  }

  private func id(_ app: FinapticScreens) -> String { app.screen(in: ScreenSpecimen.context).id }

  @Test("one call at a time, which is shown, and no transfer without a key; labels in three languages")
  func walk() {
    let walk = Self.played.walk
    #expect(Self.played.faults == [] && walk.faults == [])
    #expect(walk.found.count > 50 && walk.states < MachineWalk<FinapticScreens>.statesMax, "\(walk.found.map(\.id))")
    #expect(ScreenSpecimen.faults(in: FinapticText.self) == [])
  }

  @Test("every state of every screen is printed in docs/sdk/screens", arguments: ScreenLanguage.allCases)
  func printed(language: ScreenLanguage) throws {
    let path = "docs/sdk/screens/finaptic-\(language.rawValue).txt"
    #expect(try GoldenFile.difference(of: Self.played.walk.text(language), from: path) == nil)
  }

  @Test("a password is shown as dots; a second factor is asked for once the server wants one, and wrong the next time")
  func factor() {
    var app = app(.started, .signedOut, .sign(.email("ada@utopia.example")), .sign(.password("secret words")))
    let shown = app.screen(in: ScreenSpecimen.context).text()
    #expect(shown.contains("[••••••••••••]") && !shown.contains("secret words"), "\(shown)")
    let credential = Credential(email: "ada@utopia.example", password: "secret words")
    #expect(app.handle(.sign(.send)) == [.signIn(credential, code: nil)])
    _ = app.handle(.sign(.failed(.mfaError)))
    #expect(id(app) == "second-factor")
    #expect(app.handle(.sign(.code("١٢٣٤٥٦"))) == [.signIn(credential, code: "123456")])
    _ = app.handle(.sign(.failed(.mfaError)))
    #expect(id(app) == "second-factor.again")
    #expect(app.handle(.signedIn) == [.loadAccounts] && id(app) == "accounts.loading")
  }

  @Test("a new password is asked for by address; whether a user has it is not told, and no second factor is asked for")
  func forgotten() {
    var app = app(.started, .signedOut, .sign(.forgot), .sign(.email("ada@utopia")))
    for (code, text) in [
      (FinapticErrorCode.invalidArgument, FinapticText.failureAddress), (.unknown, .failureOffline),
      (.mfaError, .failureFactor),
    ] {
      #expect(app.handle(.sign(.send)) == [.resetPassword(email: "ada@utopia")])
      _ = app.handle(.sign(.failed(code)))
      let shown = app.screen(in: ScreenSpecimen.context).text()
      #expect(id(app) == "reset-password.again" && shown.contains(ScreenTexts(.english)[text]), "\(code)")
    }
    _ = app.handle(.sign(.send))
    _ = app.handle(.sign(.resetSent))
    #expect(id(app) == "sign-in.reset-sent")
    _ = app.handle(.sign(.forgot))
    // What comes late changes nothing.
    _ = app.handle(.sign(.resetSent))
    #expect(id(app) == "reset-password")
    _ = app.handle(.sign(.back))
    #expect(id(app) == "sign-in")
  }

  @Test("a kept transfer names its accounts once they are loaded, also when that failed at first; never by their ids")
  func keptNames() {
    func ends(_ app: FinapticScreens) -> [String] {
      app.screen(in: ScreenSpecimen.context).elements.compactMap {
        if case .fact(let label, let value) = $0, label != "Amount" { "\(label): \(value)" } else { nil }
      }
    }
    var app = app(.started, .signedIn, .pending(FinapticSpecimen.pending))
    func canReload() -> Bool { app.screen(in: ScreenSpecimen.context).usable.contains("reload") }
    #expect(ends(app) == [] && app.handle(.accounts(.reload)) == [] && !canReload())
    _ = app.handle(.accounts(.failed(.unavailable)))
    #expect(ends(app) == [] && canReload() && id(app) == "transfer.unknown")
    #expect(app.handle(.accounts(.reload)) == [.loadAccounts] && !canReload())
    _ = app.handle(.accounts(.listed(FinapticSpecimen.accounts)))
    #expect(ends(app) == ["From: Everyday, 100.00 CAD", "To: Savings, 100.00 CAD"] && !canReload())
  }

  @Test("an account's number is shown with what its parts are, can be copied, and leads to what a payer needs")
  func numbers() {
    func copyables(_ app: FinapticScreens) -> [String] {
      app.screen(in: ScreenSpecimen.context).elements.compactMap {
        if case .copyable(let one) = $0 { "\(one.label): \(one.value) = \(one.copied)" } else { nil }
      }
    }
    func opened(_ id: String, _ accounts: [Account] = FinapticSpecimen.accounts) -> FinapticScreens {
      self.app(.started, .signedIn, .accounts(.listed(accounts)), .accounts(.open(id)))
    }
    let canadian = [
      "Transit number: 12345 = 12345", "Institution number: 003 = 003", "Account number: 0000000153 = 0000000153",
    ]
    var app = opened("a1")
    #expect(copyables(app) == canadian)
    #expect(app.handle(.accounts(.receive)) == [] && id(app) == "receive" && copyables(app) == canadian)
    // What comes for the account meanwhile is there when the customer goes back.
    _ = app.handle(.accounts(.history([FinapticSpecimen.transaction], next: nil, isFirst: true)))
    #expect(id(app) == "receive" && app.handle(.accounts(.beginTransfer)) == [] && id(app) == "receive")
    #expect(app.handle(.accounts(.back)) == [] && id(app) == "account.list")
    #expect(copyables(opened("a2")) == ["IBAN: DE89 3704 0044 0532 0130 00 = DE89370400440532013000"])
    // The institution has no numbers.
    var plain = opened("a3", [FinapticSpecimen.account("a3", "Holidays")])
    #expect(copyables(plain) == [])
    #expect(!plain.screen(in: ScreenSpecimen.context).usable.contains("receive"))
    #expect(plain.handle(.accounts(.receive)) == [] && id(plain) == "account.loading")
  }

  /// With the transfer's form filled in.
  private func filled() -> FinapticScreens {
    app(
      .started, .signedIn, .accounts(.listed(FinapticSpecimen.accounts)), .accounts(.open("a1")),
      .accounts(.history([], next: nil, isFirst: true)), .accounts(.beginTransfer),
      .accounts(.transfer(.choose("a2"))), .accounts(.transfer(.amount("12,50"))), .accounts(.transfer(.review)))
  }

  @Test("a transfer whose answer was lost is sent again under its key; one that was refused gets another one")
  func transfer() throws {
    var app = filled()
    _ = app.handle(.accounts(.transfer(.key(FinapticSpecimen.key))))
    let request = InitiateTransferRequest(
      sourceAccountId: "a1", destinationAccountId: "a2", fundTransfer: FinapticSpecimen.amount(1_250),
      idempotencyKey: FinapticSpecimen.key)
    for code in [FinapticErrorCode.deadlineExceeded, .resourceExhausted] {
      #expect(app.handle(.accounts(.transfer(.send))) == [.transfer(request)])
      _ = app.handle(.accounts(.transfer(.failed(code))))
      #expect(id(app) == "transfer.unknown" && app.screen(in: ScreenSpecimen.context).back == nil)
    }
    _ = app.handle(.accounts(.transfer(.send)))
    _ = app.handle(.accounts(.transfer(.settled(.completed))))
    #expect(app.handle(.accounts(.transfer(.done))) == [.loadAccounts] && id(app) == "accounts.loading")

    var refused = filled()
    _ = refused.handle(.accounts(.transfer(.key(FinapticSpecimen.key))))
    _ = refused.handle(.accounts(.transfer(.send)))
    _ = refused.handle(.accounts(.transfer(.failed(.failedPrecondition))))
    #expect(id(refused) == "transfer.form.again" && refused.handle(.accounts(.transfer(.review))) == [.drawKey])

    var restarted = self.app(.started, .signedIn, .pending(request))
    #expect(id(restarted) == "transfer.unknown")
    #expect(restarted.handle(.accounts(.transfer(.lookUp))) == [.lookUp(request)])
    #expect(id(restarted) == "transfer.unknown.asking")
    _ = restarted.handle(.accounts(.transfer(.unsettled(.transferNotMade))))
    #expect(id(restarted) == "transfer.unknown.not-made")
    // A card can be locked meanwhile, and the transfer is still there.
    #expect(restarted.screen(in: ScreenSpecimen.context).tabs.count == 3)
    #expect(restarted.handle(.tab(.cards)) == [.loadCards])
    #expect(restarted.handle(.tab(.accounts)) == [] && id(restarted) == "transfer.unknown.not-made")
    #expect(restarted.handle(.accounts(.transfer(.send))) == [.transfer(request)])
    // A repetition that was not sent says nothing of the first attempt.
    _ = restarted.handle(.accounts(.transfer(.notSent(.transferNotKept))))
    #expect(id(restarted) == "transfer.unknown")
    #expect(restarted.handle(.accounts(.transfer(.send))) == [.transfer(request)])
  }

  @Test("an amount is more than nothing, with two decimals at most, in digits of any script")
  func amounts() {
    let (cents, some) = (Decimal(5) / 100, Decimal(125) / 10)
    let expected: [String: Decimal] = ["1": 1, "0.05": cents, "12,5": some, "١٢٫٥": some]
    let wrong = ["", "0", "-1", "1.234", ".5", "1.", "1e3", "1.2.3", "one"]
    for text in expected.keys.sorted() + wrong {
      var screen = TransferScreen(from: FinapticSpecimen.accounts[0], accounts: FinapticSpecimen.accounts)
      _ = screen.handle(.amount(text))
      #expect(screen.money == expected[text], "\(text)")
    }
  }

  @Test("what is said twice is shown once, in its order; a session that is over closes the conversation")
  func chat() {
    var app = app(.started, .signedIn, .tab(.chat), .chat(.listed([])), .chat(.new), .chat(.typed("My card")))
    #expect(app.handle(.chat(.send)) == [.openChat(thread: nil, subject: "My card")])
    let messages = ["m1", "m2"].map { FinapticSpecimen.message($0, .customer, "Hello \($0)") }
    for one in messages + messages { _ = app.handle(.chat(.said([one]))) }
    #expect(app.chat.open?.messages.map(\.id) == ["m1", "m2"])
    _ = app.handle(.chat(.typed("Where?")))
    #expect(app.handle(.chat(.send)) == [.say("Where?")])
    _ = app.handle(.chat(.notSaid("Where?")))
    #expect(app.chat.open?.draft == "Where?")
    #expect(app.handle(.sessionOver) == [.closeChat] && id(app) == "sign-in.again")
  }
}
