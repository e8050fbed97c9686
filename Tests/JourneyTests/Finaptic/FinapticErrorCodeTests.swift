// SPDX-License-Identifier: Apache-2.0

import Finaptic
import FinapticFlow
import Foundation
import GatehouseTransport
import Kit
import Testing

@testable import GatehouseApp

/// The table of finaptic §9.2: each code is brought about by what it stands for, and comes out of the SDK.
@Suite("Finaptic: every code of an error, through the SDK", .onOneEngine)
struct FinapticErrorCodeTests {
  private static let unknown = "00000000-0000-4000-8000-000000000000"

  /// What calls were refused with.
  private final class Found {
    private(set) var codes: Set<FinapticErrorCode> = []

    func expect(_ code: FinapticErrorCode, line: Int = #line, _ call: () async throws -> Void) async {
      do {
        try await call()
        Issue.record("line \(line): it was done")
      } catch {
        #expect((error as? FinapticError)?.code == code, "line \(line): \(error)")
        #expect((error as? FinapticError)?.message.isEmpty == false, "line \(line)")
        codes.insert(code)
      }
    }
  }

  @Test("none of the 39 codes is left that nothing brings about")
  func every() async throws {
    try await FinapticTestApp.run { app in
      let found = Found()
      let ada = try await FinapticCardholder.made("Ada", in: app)
      let bob = try await FinapticCardholder.made("Bob", in: app)
      try await Self.authentication(app, ada, found)
      try await Self.cards(app, ada, bob, found)
      try await Self.registrations(ada, bob, found)
      try await Self.transfers(app, ada, bob, found)
      try await Self.families(app, bob, found)
      let all = Set(FinapticErrorCode.allCases)
      #expect(found.codes == all, "\(all.subtracting(found.codes))")
      #expect(FinapticErrorCode.allCases.count == 39)
    }
  }

  // MARK: Signing up and in

  private static func authentication(_ app: FinapticTestApp, _ ada: FinapticCardholder, _ found: Found) async throws {
    let client = try await app.phone().authenticationClient
    func signUp(_ email: String, _ password: String) async throws {
      try await client.signUp(request: SignUpRequest(credential: Credential(email: email, password: password)))
    }
    func signIn(_ password: String = FinapticCardholder.password) async throws {
      _ = try await client.signIn(
        request: SignInRequest(credential: Credential(email: "ada@example.ca", password: password)))
    }
    await found.expect(.signupCredentialError) { try await signUp("new@example.ca", "short") }
    await found.expect(.signupError) { try await signUp("ada@example.ca", "Quartz7Lantern&") }
    await found.expect(.signinInvalidPassword) { try await signIn("Quartz7Wrongly") }
    let (service, tenants) = (app.app.finaptic, app.app.finaptic.dependencies.tenants)
    try await tenants.setMFA(.always, of: 7, by: "test")
    await found.expect(.mfaError) { try await signIn() }
    try await tenants.setMFA(.never, of: 7, by: "test")
    _ = try await service.dependencies.users.setBlocked(true, "ada@example.ca", tenant: 7, by: "test")
    await found.expect(.signInUserBlocked) { try await signIn() }
    _ = try await service.dependencies.users.setBlocked(false, "ada@example.ca", tenant: 7, by: "test")
    for _ in 0..<service.dependencies.policy.failuresMax {
      await found.expect(.signinInvalidPassword) { try await signIn("Quartz7Wrongly") }
    }
    await found.expect(.signinError) { try await signIn() }
    app.clock.advance(by: service.dependencies.policy.lockLifetime)
    try await ada.sdk.authenticationClient.signOut()
    await found.expect(.unauthenticated) {
      _ = try await ada.sdk.coreCardClient.getCard(request: GetCardRequest(cardId: ada.card))
    }
    _ = try await ada.sdk.authenticationClient.signIn(request: SignInRequest(credential: ada.credential))
  }

  // MARK: Cards and authorized users

  private static func cards(
    _ app: FinapticTestApp, _ ada: FinapticCardholder, _ bob: FinapticCardholder, _ found: Found
  ) async throws {
    await found.expect(.cardsInvalidAuthUser) { _ = try await ada.createCard(for: bob.customer) }
    await found.expect(.cardsInvalidAccount) {
      _ = try await bob.createCard(for: ada.customer, account: ada.account)
    }
    await found.expect(.cardsInvalidCardId) {
      _ = try await ada.sdk.coreCardClient.lockCard(request: .init(cardId: bob.card))
    }
    await found.expect(.notFound) {
      _ = try await ada.sdk.coreCardClient.getCard(request: GetCardRequest(cardId: bob.card))
    }
    let id = try await ada.invite("bob").invitationId
    await found.expect(.alreadyExists) { _ = try await ada.invite("bob") }
    await found.expect(.permissionDenied) { try await ada.accept(id) }
    await found.expect(.failedPrecondition) { try await ada.confirm(id) }
    await found.expect(.invalidArgument) { _ = try await ada.invite("bob", account: "x") }
  }

  // MARK: Autodeposit

  private static func registrations(
    _ ada: FinapticCardholder, _ bob: FinapticCardholder, _ found: Found
  ) async throws {
    func register(_ who: FinapticCardholder, _ email: String?, phone: String? = nil) async throws -> String {
      let made = try await who.sdk.interacClient.createRegistration(
        request: CreateRegistrationRequest(
          registration: Registration(
            accountId: who.account, aliasEmail: email,
            aliasPhoneNumber: phone.map { PhoneNumber(phoneNumber: $0) })))
      return try #require(made.registration.registrationId)
    }
    let first = try await register(ada, "n1@example.ca")
    await found.expect(.transInteracAliasInUse) { _ = try await register(ada, "N1@example.ca") }
    await found.expect(.transInteracInvMobNumber) { _ = try await register(ada, nil, phone: "+1-514555012") }
    await found.expect(.transInteracInvMobAreacode) { _ = try await register(ada, nil, phone: "+1-2125550123") }
    for number in 2...5 { _ = try await register(ada, "n\(number)@example.ca") }
    await found.expect(.transInteracRegCountExceeded) { _ = try await register(ada, "n6@example.ca") }
    await found.expect(.transInteracInvalidAccount) {
      _ = try await ada.sdk.interacClient.updateRegistration(
        request: UpdateRegistrationRequest(registrationId: first, accountId: bob.account))
    }
    await found.expect(.unauthorized) {
      _ = try await bob.sdk.interacClient.deleteRegistration(
        request: DeleteRegistrationRequest(registrationId: first))
    }
    for _ in 0..<3 {
      let id = try await register(bob, "often@example.ca")
      _ = try await bob.sdk.interacClient.deleteRegistration(request: DeleteRegistrationRequest(registrationId: id))
    }
    await found.expect(.resourceExhausted) { _ = try await register(bob, "often@example.ca") }
  }

  // MARK: Money

  private static func transfers(
    _ app: FinapticTestApp, _ ada: FinapticCardholder, _ bob: FinapticCardholder, _ found: Found
  ) async throws {
    func answer(_ number: String, by who: FinapticCardholder) async throws {
      _ = try await who.sdk.interacClient.authenticateIncomingTransfer(
        request: AuthenticateIncomingTransferRequest(interacPaymentNumber: number, securityAnswer: "blue"))
    }
    func take(_ number: String, by who: FinapticCardholder) async throws {
      _ = try await who.sdk.interacClient.completeIncomingTransfer(
        request: CompleteIncomingTransferRequest(interacPaymentNumber: number, targetAccountId: who.account))
    }
    await found.expect(.transInvalidTransaction) {
      _ = try await ada.sdk.coreTransferClient.getTransferDetails(
        request: GetTransferDetailsRequest(transactionId: Self.unknown))
    }
    await found.expect(.transInteracInvalidTransfer) { try await answer("CA0000000000", by: ada) }
    let number = try await app.send(to: "x@example.ca") {
      ($0.securityQuestion, $0.securityAnswer, $0.customerId) = ("Colour?", "Blue", ada.customer)
    }.interacPaymentNumber
    await found.expect(.transInteracInconsistentCustomer) { try await answer(number, by: bob) }
    await found.expect(.transInteracAuthenticationRequired) { try await take(number, by: ada) }
    try await answer(number, by: ada)
    await found.expect(.transInteracPreviousTransferInProgress) { try await answer(number, by: ada) }
    try await take(number, by: ada)
    await found.expect(.transInteracAlreadyAccepted) { try await take(number, by: ada) }
    let large = try await app.send(to: "x@example.ca") { $0.amount = .init(amount: "10000.00", currency: "CAD") }
    await found.expect(.transInteracTransferLimitsExceeded) { try await take(large.interacPaymentNumber, by: ada) }
    _ = try await ada.sdk.interacClient.declineIncomingTransfer(
      request: DeclineIncomingTransferRequest(interacPaymentNumber: large.interacPaymentNumber))
    await found.expect(.transInteracAlreadyCancelled) { try await take(large.interacPaymentNumber, by: ada) }
  }

  // MARK: What goes wrong on the way

  /// Families that no state of ours brings about at will: the server is told to answer with them.
  private static func families(_ app: FinapticTestApp, _ bob: FinapticCardholder, _ found: Found) async throws {
    let issued = try await app.app.addFinapticClient(.sandbox, "codes", tenant: 7, by: "operator")
    let basic = Data("\(issued.client.id):\(issued.secret)".utf8).base64EncodedString()
    let faults = try #require(URL(string: "http://127.0.0.1\(SandboxRoutes.base)/faults"))
    for code in [
      FinapticErrorCode.cancelled, .unknown, .deadlineExceeded, .aborted, .outOfRange, .unimplemented, .internal,
      .unavailable, .dataLoss,
    ] {
      // What is unavailable the SDK asks for twice more by itself.
      let times = code == .unavailable ? 3 : 1
      let fault =
        #"{"method":"coreTransaction/listAccounts","kind":"error","code":"\#(code.rawValue)","times":\#(times)}"#
      let armed = try await app.transport.send(
        TransportRequest(
          method: "POST", url: faults,
          headers: ["authorization": "Basic \(basic)", "content-type": "application/json"], body: Data(fault.utf8)))
      #expect(armed.isSuccess, "\(code): \(armed.status)")
      await found.expect(code) {
        _ = try await bob.sdk.coreTransactionClient.listAccounts(request: ListAccountsRequest(pageSize: 1))
      }
    }
    _ = try await bob.sdk.coreTransactionClient.listAccounts(request: ListAccountsRequest(pageSize: 1))
  }
}
