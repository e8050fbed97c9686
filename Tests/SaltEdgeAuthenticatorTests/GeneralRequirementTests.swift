// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import SaltEdgeCore
import TestSupport
import Testing

@testable import SaltEdgeAuthenticator

@Suite("Authenticator: the general requirements of the seed")
struct GeneralRequirementTests {
  @Test("without explicit need no sensitive data is stored: nothing of authorizations and consents, no passcode")
  func nothingWithoutNeed() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    for link in [FakeService.v1Link, FakeService.v2Link] { try await authenticator.connect(link) }
    let before = phone.store.contents
    phone.service.put(FakeService.v1Entry("444", created: phone.now))
    phone.service.put(FakeService.v2Entry("100", created: phone.now))
    phone.service.put(consents: [ConsentTests.consent], version: 1)
    let shown = try await authenticator.authorizations().authorizations
    #expect(shown.count == 2)
    #expect(try await authenticator.consents(of: authenticator.connections()[0].guid).count == 1)
    for authorization in shown { try await authenticator.deny(authorization) }
    #expect(phone.store.contents == before)
    for (_, content) in before { #expect(!String(decoding: content, as: UTF8.self).contains("1234")) }
  }

  @Test("stored sensitive data is encrypted: in the file of a store there is no token, name or key to be found")
  func encrypted() async throws {
    let folder = try TestFolder()
    let file = folder.url("sealed")
    func store() throws -> SealedFileStore { try SealedFileStore(file: file, key: Data(repeating: 9, count: 32)) }
    let phone = Phone()
    func authenticator() throws -> Authenticator {
      var setup = AuthenticatorSetup(device: Phone.device, signInPage: SignInPage { _ in nil })
      setup.policy.passcodeRounds = 100
      setup.makeKey = { () throws(SaltEdgeError) in try TestKeys.named("device 1") }
      return Authenticator(setup, store: try store(), transport: phone.service.transport, clock: phone.clock)
    }
    let first = try authenticator()
    _ = try await first.createPasscode("1234", again: "1234")
    let connection = try await first.connect(FakeService.v1Link)
    let bytes = try Data(contentsOf: file)
    for text in ["v1-token-333", "Demobank", "bank.example", connection.guid, "PRIVATE KEY", "1234"] {
      #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text)")
      #expect(bytes.range(of: Data(Data(text.utf8).base64EncodedString().prefix(12).utf8)) == nil, "\(text)")
    }
    // And the next start of the app finds it.
    let second = try authenticator()
    _ = try await second.present()
    #expect(try await second.connections() == [connection])
    #expect(try await second.authorizations().failures.isEmpty)
  }

  @Test("asymmetric keys lie in the protected store, one pair a connection, and are never seen outside")
  func keys() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    var tags: Set<String> = []
    for link in [FakeService.v1Link, FakeService.v2Link] {
      tags.insert("com.saltedge.authenticator.\(try await authenticator.connect(link).guid).private")
    }
    #expect(tags.isSubset(of: phone.store.contents.keys))
    #expect(Set(tags.compactMap { phone.store.contents[$0] }).count == 2)
    _ = try await authenticator.authorizations()
    for request in phone.service.heard {
      let body = String(decoding: request.body ?? Data(), as: UTF8.self)
      #expect(!body.contains("PRIVATE KEY") && !request.headers.all.contains { $0.value.contains("PRIVATE KEY") })
    }
  }

  @Test("access to the application is blocked by passcode or biometrics")
  func access() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    let connection = try await authenticator.connect(FakeService.v2Link)
    phone.service.put(FakeService.v2Entry("100", created: phone.now))
    let shown = try #require(try await authenticator.authorizations().authorizations.first)
    let proof = try await authenticator.present()
    await authenticator.lock()
    phone.service.forget()
    let consent = try #require(try Consent.sample(connection: connection.guid))
    let action = ActionLink(.v2(actionID: "77", providerID: "7"))
    let guid = connection.guid
    let acts: [(String, @Sendable () async throws -> Void)] = [
      ("connections", { _ = try await authenticator.connections() }),
      ("connect", { _ = try await authenticator.connect(FakeService.v1Link) }),
      ("reconnect", { _ = try await authenticator.reconnect(guid) }),
      ("rename", { try await authenticator.rename(guid, to: "x") }),
      ("remove", { _ = try await authenticator.remove(guid) }),
      ("list", { _ = try await authenticator.authorizations() }),
      ("show", { _ = try await authenticator.authorization(shown.id) }),
      ("confirm", { _ = try await authenticator.confirm(shown, by: proof) }),
      ("deny", { _ = try await authenticator.deny(shown) }),
      ("consents", { _ = try await authenticator.consents(of: guid) }),
      ("revoke", { _ = try await authenticator.revoke(consent) }),
      ("match", { _ = try await authenticator.connections(for: action) }),
      ("submit", { _ = try await authenticator.submit(action, on: guid) }),
      ("biometrics", { try await authenticator.useBiometrics(true) }),
      ("passcode", { _ = try await authenticator.changePasscode(current: "1234", to: "5678", again: "5678") }),
    ]
    for (name, act) in acts {
      #expect(await thrown(act) == AuthenticatorError(.outOfOrder, .appLocked), "\(name)")
    }
    #expect(phone.service.heard.isEmpty)
  }

  @Test(
    "an action is confirmed by passcode or biometrics: without a fresh proof not a byte is sent, and each counts once")
  func confirmation() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready { $0.policy.idleMax = .seconds(600) }
    try await authenticator.connect(FakeService.v2Link)
    for id in ["100", "101"] { phone.service.put(FakeService.v2Entry(id, created: phone.now, seconds: 3000)) }
    let shown = try await authenticator.authorizations().authorizations
    let old = try await authenticator.present()
    let overtaken = try await authenticator.present()
    phone.advance(.seconds(60))
    phone.service.forget()
    for proof in [old, overtaken, UserPresence(method: .passcode, id: UUID())] {
      let error = await thrown {
        try await authenticator.confirm(shown[0], by: proof)
      }
      #expect(error == AuthenticatorError(.outOfOrder, .userPresenceMissing))
    }
    #expect(phone.service.heard.isEmpty)
    let proof = try await authenticator.present()
    #expect(try await authenticator.confirm(shown[0], by: proof).state == .processing)
    let error = await thrown {
      try await authenticator.confirm(shown[1], by: proof)
    }
    #expect(error?.errorClass == .userPresenceMissing && phone.service.heard.count == 1)
  }
}
