// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp
import GatehouseTransport
import GatehouseWire
import Kit
import SaltEdgeAuthenticator
import SaltEdgeCore

/// A customer of the demonstration bank, with a browser and with the Authenticator on a phone: what they do, and what
/// the page and the phone say.
struct SaltEdgePlay: Sendable {
  static let passcode = "2603"
  /// Looks at a page or a list before what should be there counts as missing, and the wait between two.
  private static let looksMax = 100
  private static let lookDelay = Duration.milliseconds(50)

  let address: URL
  /// Of the wire, 1 or 2.
  let version: Int
  let username: String
  let password: String
  let browser: DemoBrowser
  let phone: Authenticator
  private let clock: ClientClock
  /// What was pushed to phones, as their apps read it, the newest first.
  private let pushes: @Sendable () async throws -> [[String: String]]

  struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  /// - Parameters:
  ///   - folder: where the phone keeps what it keeps, sealed.
  ///   - time: what the phone's clock shows.
  init(
    address: URL, version: Int, username: String, password: String, folder: URL,
    time: @escaping @Sendable () -> Instant, pushes: @escaping @Sendable () async throws -> [[String: String]] = { [] }
  ) throws {
    self.pushes = pushes
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    (self.address, self.version, self.username, self.password) = (address, version, username, password)
    browser = DemoBrowser(address: address)
    clock = ClientClock(
      wallTime: { Double(time().milliseconds) / 1000 },
      pause: { (duration) async throws(CancellationError) in try await ClientClock.live.pause(for: duration) })
    let signIn = SignInPage { page in
      // The app's web view: cookies of its own.
      let view = DemoBrowser(address: address)
      guard (try? await view.open(page.url.absoluteString)) != nil,
        let end = try? await view.submit(
          "/demo-bank/enrol",
          [
            "username": username, "password": password, "action": "sign-in",
          ]
        ).location, page.decision(on: end) == .end
      else { return nil }
      return end
    }
    let device = DeviceDescription(app: "Demo", version: "1", build: "1", model: "Utopia", system: "Demo 1")
    phone = Authenticator(
      AuthenticatorSetup(device: device, signInPage: signIn),
      store: try SealedFileStore(file: folder.appending(path: "app"), keyFile: folder.appending(path: "key")),
      clock: clock)
  }

  // MARK: The phone

  /// The app is opened for the first time, and its user sets a passcode.
  func setUp() async throws {
    guard try await phone.createPasscode(Self.passcode, again: Self.passcode) == .set else {
      throw Missing(description: "the passcode was not taken")
    }
  }

  /// Connects by the code that a page shows, as a camera reads it.
  func connect(by page: DemoPage) async throws -> Connection {
    guard case .connect(let link) = phone.link(try scan(page)) else {
      throw Missing(description: "the code is no link to connect")
    }
    return try await phone.connect(link)
  }

  /// Picks up what a page's code asks for.
  func pickUp(_ page: DemoPage) async throws -> ActionOutcome {
    guard case .action(let link) = phone.link(try scan(page)),
      let connection = try await phone.connections(for: link).first
    else { throw Missing(description: "the code is no action for this phone") }
    return try await phone.submit(link, on: connection.guid)
  }

  /// What stands in the code's picture, which is what the link for the same phone says.
  func scan(_ page: DemoPage) throws -> String {
    guard let text = try page.scanned() else { throw Missing(description: "there is no code that can be read") }
    guard text == page.link else { throw Missing(description: "the code and the link say two things") }
    return text
  }

  /// The one thing that waits for a decision.
  func waiting() async throws -> Authorization {
    for _ in 0..<Self.looksMax {
      let snapshot = try await phone.authorizations()
      if let found = snapshot.authorizations.last(where: { $0.state == .pending }) { return found }
      try await clock.pause(for: Self.lookDelay)
    }
    throw Missing(description: "the phone lists nothing to decide")
  }

  /// The push that names an authorization, opened as the app opens it; from another phone's nothing is shown.
  func pushed(for authorization: Authorization) async throws -> Authorization {
    for _ in 0..<Self.looksMax {
      for data in try await pushes() where data["authorization_id"] == authorization.id.id {
        guard let payload = PushPayload(fcm: data), try await phone.concerns(payload) else { continue }
        return try await phone.authorization(for: payload)
      }
      try await clock.pause(for: Self.lookDelay)
    }
    throw Missing(description: "no push came")
  }

  /// Decides, and looks until the bank has answered.
  func decide(_ authorization: Authorization, confirms: Bool) async throws -> AuthorizationState {
    var seen: Authorization
    if confirms {
      guard case .passed(let proof) = try await phone.unlock(with: .passcode(Self.passcode)) else {
        throw Missing(description: "the passcode was not taken")
      }
      seen = try await phone.confirm(authorization, by: proof)
    } else {
      seen = try await phone.deny(authorization)
    }
    for _ in 0..<Self.looksMax where !seen.state.isFinal {
      try await clock.pause(for: Self.lookDelay)
      seen = try await phone.authorization(authorization.id)
    }
    return seen.state
  }

  // MARK: The browser

  func signIn() async throws -> DemoPage {
    try await browser.open("/demo-bank")
    return try await browser.submit("/demo-bank/sign-in", ["username": username, "password": password])
  }

  /// - Parameter how: `phone` or `code`.
  func order(_ payment: DemoPayment, by how: String = "phone", in other: DemoBrowser? = nil) async throws -> DemoPage {
    let browser = other ?? browser
    try await browser.open("/demo-bank/pay")
    return try await browser.submit(
      "/demo-bank/orders/payment",
      [
        "payee": payment.payee, "account": payment.account, "amount": payment.amount, "currency": payment.currency,
        "reference": payment.reference, "how": how,
      ])
  }

  /// Loads the order's page again, as it does by itself, until its state is no longer that it waits.
  func settled(_ page: DemoPage, in other: DemoBrowser? = nil) async throws -> DemoPage {
    let browser = other ?? browser
    guard let path = page.orderPath else { throw Missing(description: "this is no order's page") }
    for _ in 0..<Self.looksMax {
      let seen = try await browser.open(path)
      if seen.state != "Waiting" { return seen }
      try await clock.pause(for: Self.lookDelay)
    }
    throw Missing(description: "the page waits still")
  }

  /// The same order, with the code for this phone's version.
  func withCode(_ page: DemoPage, in other: DemoBrowser) async throws -> DemoPage {
    guard let path = page.orderPath else { throw Missing(description: "this is no order's page") }
    return try await other.open("\(path)?api=\(version)")
  }
}

/// What a person types to pay.
struct DemoPayment: Sendable {
  var payee = "Utopia Water Works"
  var account = "ZZ83DEMO00000002000"
  var amount = "12.50"
  var currency = "EUR"
  var reference = "March"
}
