// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp
import GatehouseWire
import Kit
import SaltEdgeAuthenticator

extension DemoStage {
  /// Plays the Authenticator, v1 and v2: a customer of the demonstration bank at its page, and on the phone through the
  /// SDK.
  func playSaltEdge(in app: App, _ bank: DemoBankSetup.Made) async throws {
    for (version, login) in zip([1, 2], bank.passwords) {
      let play = try SaltEdgePlay(
        address: address, version: version, username: login.username, password: login.password,
        folder: URL(fileURLWithPath: folder).appending(path: "phone-v\(version)"), time: { [clock] in clock.now },
        pushes: { try await app.devOutbox.list().filter { $0.message.channel == .push }.compactMap(\.message.data) })
      let story = SaltEdgeStory(title: "Authenticator v\(version)", play: play, log: log)
      do {
        try await story.connect()
        try await story.pay()
        try await story.deny()
        try await story.letExpire {
          clock.advance(by: .minutes(6))
          try await app.saltEdgeEffects.jobs.runOnce()
        }
        try await story.scanToSignIn()
        try await story.scanToPay()
        try await story.disconnect()
      } catch is SaltEdgeStory.Broken {}
    }
  }
}

/// One customer's story with the Authenticator: each step does something, and says what page and phone then show.
struct SaltEdgeStory: Sendable {
  let title: String
  let play: SaltEdgePlay
  let log: DemoLog

  /// The rest of a story makes no sense after a step that failed.
  struct Broken: Error {}

  /// What a step came to.
  private struct Told {
    let shown: String
    var note = ""
  }

  private func step(_ title: String, shows expected: String, _ act: () async throws -> Told) async throws {
    let start = World.live.ticks()
    var told = Told(shown: "nothing")
    var differences: [String] = []
    do {
      told = try await act()
      if told.shown != expected { differences.append("it should show \(expected)") }
    } catch {
      differences.append("\(error)")
    }
    await log.add(
      DemoStep(
        story: self.title, title: title, answer: told.note, shown: told.shown, differences: differences,
        milliseconds: Int((World.live.ticks() - start).inSeconds * 1000)))
    if !differences.isEmpty { throw Broken() }
  }

  func connect() async throws {
    try await step("the page shows a code", shows: "a link for version \(play.version)") {
      let text = try play.scan(try await play.browser.open("/demo-bank/connect?api=\(play.version)"))
      guard case .connect(let link) = play.phone.link(text) else { return Told(shown: "no link") }
      return Told(
        shown: "a link for version \(link.apiVersion)", note: "read from its picture, \(text.utf8.count) bytes")
    }
    try await step("scan it, sign in on the phone", shows: "Demo Bank, active") {
      try await play.setUp()
      try await play.phone.updatePushToken(Self.pushToken(play.version))
      let page = await play.browser.page
      let connection = try await play.connect(by: page)
      return Told(shown: "\(connection.name), \(connection.status)", note: "version \(connection.apiVersion)")
    }
    try await step("sign in at the page", shows: "1 phone") {
      let page = try await play.signIn()
      return Told(shown: "\(page.phones) phone\(page.phones == 1 ? "" : "s")", note: page.title ?? "")
    }
  }

  /// 64 digits, as APNs has them.
  static func pushToken(_ version: Int) -> String { String(repeating: "a\(version)", count: 32) }

  func pay() async throws {
    let payment = DemoPayment()
    try await decided("confirm a payment", payment, confirms: true, page: "Paid", phone: .confirmed)
  }

  func deny() async throws {
    var payment = DemoPayment()
    (payment.payee, payment.amount) = ("Unknown Shop", "9999.00")
    try await decided("deny a payment", payment, confirms: false, page: "Denied", phone: .denied)
  }

  private func decided(
    _ title: String, _ payment: DemoPayment, confirms: Bool, page: String, phone: AuthorizationState
  ) async throws {
    try await step("order a payment", shows: "Waiting") {
      let ordered = try await play.order(payment)
      return Told(shown: ordered.state ?? ordered.title ?? "nothing", note: "\(payment.amount) to \(payment.payee)")
    }
    let ordered = await play.browser.page
    try await step("a push comes, and is opened", shows: "Pay \(payment.amount) \(payment.currency)") {
      let authorization = try await play.pushed(for: try await play.waiting())
      return Told(shown: authorization.title, note: "by what stands in the development outbox")
    }
    try await step(title, shows: "page \(page), phone \(phone)") {
      let authorization = try await play.waiting()
      guard authorization.says(payment) else { return Told(shown: "something else than was ordered") }
      let state = try await play.decide(authorization, confirms: confirms)
      let settled = try await play.settled(ordered)
      return Told(
        shown: "page \(settled.state ?? "nothing"), phone \(state)", note: "the phone showed “\(authorization.title)”")
    }
  }

  /// - Parameter pass: lets the time pass that a payment has.
  func letExpire(_ pass: () async throws -> Void) async throws {
    var payment = DemoPayment()
    payment.payee = "A Slow Payee"
    try await step("let a payment's time run out", shows: "page Timed out, phone nothing to decide") {
      let ordered = try await play.order(payment)
      let authorization = try await play.waiting()
      try await pass()
      let settled = try await play.settled(ordered)
      let listed = try await play.phone.authorizations().authorizations
      let isOpen = listed.contains { $0.id == authorization.id && $0.state == .pending }
      return Told(
        shown: "page \(settled.state ?? "nothing"), phone \(isOpen ? "still asks" : "nothing to decide")",
        note: "six minutes later")
    }
  }

  func scanToSignIn() async throws {
    let other = DemoBrowser(address: play.address)
    try await step("scan a code to sign in elsewhere", shows: "Confirmed") {
      try await other.open("/demo-bank")
      let begun = try await play.withCode(try await other.submit("/demo-bank/orders/sign-in"), in: other)
      let outcome = try await play.pickUp(begun)
      let settled = try await play.settled(begun, in: other)
      return Told(shown: settled.state ?? "nothing", note: outcome == .done(returnTo: nil) ? "at once" : "\(outcome)")
    }
    try await step("go on to the account there", shows: "1 phone") {
      let action = await other.page.actions.first { $0.hasSuffix("/continue") }
      let page = try await other.submit(action ?? "/demo-bank/orders/none/continue")
      return Told(shown: "\(page.phones) phone\(page.phones == 1 ? "" : "s")", note: page.title ?? "")
    }
  }

  func scanToPay() async throws {
    var payment = DemoPayment()
    (payment.payee, payment.amount) = ("The Bookshop", "7.30")
    let other = DemoBrowser(address: play.address)
    try await step("scan a code to pay, and confirm", shows: "page Paid, phone confirmed") {
      let begun = try await play.withCode(try await play.order(payment, by: "code", in: other), in: other)
      guard case .confirm(let id, _) = try await play.pickUp(begun) else { return Told(shown: "nothing to confirm") }
      let authorization = try await play.phone.authorization(id)
      guard authorization.says(payment) else { return Told(shown: "something else than was ordered") }
      let state = try await play.decide(authorization, confirms: true)
      let settled = try await play.settled(begun, in: other)
      return Told(shown: "page \(settled.state ?? "nothing"), phone \(state)", note: "no one was signed in")
    }
  }

  func disconnect() async throws {
    try await step("remove the connection on the phone", shows: "0 phones") {
      guard let connection = try await play.phone.connections().first else { return Told(shown: "no connection") }
      let isHeard = try await play.phone.remove(connection.guid)
      let page = try await play.browser.open("/demo-bank")
      return Told(shown: "\(page.phones) phones", note: isHeard ? "the service has heard" : "the service has not heard")
    }
  }
}

extension Authorization {
  /// Whether it shows this payee and this amount, wherever its version has a place for them.
  fileprivate func says(_ payment: DemoPayment) -> Bool {
    let lines = content.payment.map(\.value) + [content.text ?? ""]
    return [payment.payee, "\(payment.amount) \(payment.currency)"].allSatisfy { wanted in
      lines.contains { $0.contains(wanted) }
    }
  }
}
