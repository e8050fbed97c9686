// SPDX-License-Identifier: Apache-2.0

import Finaptic
import Foundation
import GatehouseTransport
import Kit

/// One customer by the Finaptic SDK, from the first application to money between two accounts: the first one is opened
/// with pictures and a user, the second one by the customer whom that made. After every failure the app asks where its
/// application stands and goes on from there; what it was told it does not say again, so whatever the server had lost
/// would keep the application from being accepted.
struct AccountOpening: ChaosCustomer {
  /// Everybody, and everything that they need.
  struct Scene: ChaosScene {
    let bank: FinapticBank
    let randomness: ChaosRandomness
    /// A password costs a processor for a moment, as it should: those who wait for many others would not be answered
    /// in time, and ask again.
    let passwords = AsyncSemaphore(width: 2)

    func customer(_ serial: Int, hasPictures: Bool) -> any ChaosCustomer { AccountOpening(serial, self) }

    var answers: [Int: Int] { bank.answered }
  }

  /// A transfer that was asked for, by its amount, which no other one of this customer has.
  struct Order: Sendable {
    let cents: Int
    let isForth: Bool
    /// Nil while its outcome is not known.
    var transaction: String?
  }

  static let transfers = 4
  static let funds = 500_00

  let serial: Int
  /// Everybody uploads theirs; a sandbox judges by the name.
  let hasPictures = true
  /// Leaves the first application before its selfie is looked at, and comes back when all is over.
  let isAway: Bool
  var form: ApplicationForm?
  var accounts: [String] = []
  var customer: String?
  var orders: [Order] = []
  var isFinished = false
  /// What must not have happened.
  var broken: [String] = []
  var troubles: [String: Int] = [:]
  var calls = 0
  private var toldBefore = 0
  private var hasSignedUp = false
  private var isSignedIn = false
  private var paidIn = 0
  private let depositKeys = [World.live.randomUUID(), World.live.randomUUID()]
  private var sdk: FinapticSDK?
  let store = MemorySecureStore()
  let transport: HTTPTransport
  let scene: Scene

  init(_ serial: Int, _ scene: Scene) {
    (self.serial, self.scene, isAway) = (serial, scene, serial % 5 == 4)
    transport = scene.bank.transport(serial)
  }

  var stepsTold: Int { toldBefore + (form?.told ?? 0) + paidIn + orders.count { $0.transaction != nil } }

  mutating func play(until end: ContinuousClock.Instant) async {
    while !isFinished, ContinuousClock.now < end, !Task.isCancelled {
      do { try await advance() } catch {
        note(error)
        // As if the app had been started anew, with what its phone has stored.
        sdk = nil
      }
      if !isFinished { try? await ClientClock.live.pause(for: .milliseconds(scene.randomness.number(below: 200))) }
    }
  }

  private mutating func advance() async throws {
    if sdk == nil { sdk = try await scene.bank.app(serial, store) }
    guard let sdk else { return }
    if let form { return try await goOn(form, sdk) }
    guard accounts.count == 2 else { return try await begin(sdk) }
    try await move(by: sdk)
  }

  private mutating func begin(_ sdk: FinapticSDK) async throws {
    let answer = try await sdk.onboardingClient.initiateApplication(
      request: InitiateApplicationRequest(bundleId: "depositV1"))
    calls += 1
    form = ApplicationForm(
      id: answer.basicDetails.applicationId, isRefused: accounts.isEmpty && serial % 5 == 2)
  }

  // MARK: Money

  private mutating func move(by sdk: FinapticSDK) async throws {
    guard paidIn == accounts.count else {
      let isBooked = try await scene.bank.deposit(
        Self.funds, on: accounts[paidIn], key: depositKeys[paidIn], by: transport)
      if isBooked { (paidIn, calls) = (paidIn + 1, calls + 1) } else { troubles["deposit", default: 0] += 1 }
      return
    }
    let done = orders.count { $0.transaction != nil }
    guard done < Self.transfers else {
      isFinished = true
      return
    }
    let order = Order(cents: 100 + orders.count, isForth: done.isMultiple(of: 2))
    orders.append(order)
    let (source, destination) = order.isForth ? (accounts[0], accounts[1]) : (accounts[1], accounts[0])
    let answer = try await sdk.coreTransferClient.initiateTransfer(
      request: InitiateTransferRequest(
        sourceAccountId: source, destinationAccountId: destination,
        fundTransfer: Amount(amount: Decimal(order.cents) / 100, currency: "CAD")))
    calls += 1
    orders[orders.count - 1].transaction = answer.details.transactionId
    if answer.details.status != .completed { broken.append("a transfer was \(answer.details.status.rawValue)") }
  }

  // MARK: Who it is

  /// Makes a user of the applicant, once, and signs them in.
  mutating func signIn(_ sdk: FinapticSDK) async throws {
    guard !isSignedIn else { return }
    await scene.passwords.enter()
    do { try await prove(sdk) } catch {
      await scene.passwords.leave()
      throw error
    }
    await scene.passwords.leave()
  }

  private mutating func prove(_ sdk: FinapticSDK) async throws {
    let credential = Credential(email: "opening\(serial)@example.com", password: "Quartz7&violet")
    if !hasSignedUp {
      do throws(FinapticError) {
        try await sdk.authenticationClient.signUp(request: SignUpRequest(credential: credential))
      } catch {
        // An answer that was lost: signing in says whether it was ours.
        guard error.code == .signupError else { throw error }
      }
      (hasSignedUp, calls) = (true, calls + 1)
    }
    _ = try await sdk.authenticationClient.signIn(request: SignInRequest(credential: credential))
    (isSignedIn, calls) = (true, calls + 1)
  }

  /// Ends the application in hand; what it was told of stays to be looked for.
  mutating func close() {
    toldBefore += form?.told ?? 0
    form = nil
  }

  private mutating func note(_ error: any Error) {
    guard let error = error as? FinapticError else {
      let name = (error as? TransportError)?.code.rawValue ?? "\(type(of: error))"
      return troubles[name, default: 0] += 1
    }
    troubles[error.code.rawValue, default: 0] += 1
    switch error.code {
    case .unauthenticated, .signinError, .signinInvalidPassword, .permissionDenied, .notFound, .aborted, .internal,
      .dataLoss, .invalidArgument:
      let fields = error.fieldViolations.map(\.field).joined(separator: ", ")
      broken.append("\(error.code.rawValue) at \(place)\(fields.isEmpty ? "" : " for \(fields)")")
      if error.code == .unauthenticated { isSignedIn = false }
    case .failedPrecondition where !error.fieldViolations.isEmpty:
      broken.append(
        "was told of everything at \(place), and lacks \(error.fieldViolations.map(\.field).joined(separator: ", "))")
    default: break
    }
  }

  /// Where the customer is, for people.
  var place: String {
    guard let form else { return "account \(accounts.count + 1), \(orders.count) orders" }
    return "account \(accounts.count + 1), \(form.updates.count) updates, \(form.steps.map(\.rawValue).sorted())"
  }
}
