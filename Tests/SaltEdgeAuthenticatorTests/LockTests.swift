// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import SaltEdgeCore
import Synchronization
import Testing

@testable import SaltEdgeAuthenticator

@Suite("Authenticator: the lock (acceptance 6)")
struct LockTests {
  private static let wrong = PresenceProof.passcode("0000")

  @Test("wrong passcodes: five are free, then 1, 5, 15, 60 and 60 minutes, and the eleventh erases everything")
  func schedule() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    try await authenticator.connect(FakeService.v1Link)
    try await authenticator.connect(FakeService.v2Link)
    await authenticator.lock()
    for left in [4, 3, 2, 1, 0] {
      #expect(try await authenticator.unlock(with: Self.wrong) == .wrong(attemptsLeft: left))
    }
    for minutes in [1, 5, 15, 60, 60] {
      let block = Duration.seconds(minutes * 60)
      #expect(try await authenticator.unlock(with: Self.wrong) == .blocked(for: block))
      // Not even the right one, and no try is counted.
      #expect(try await authenticator.unlock(with: .passcode("1234")) == .blocked(for: block))
      phone.advance(block - .seconds(1))
      #expect(try await authenticator.unlock(with: .biometrics) == .blocked(for: .seconds(1)))
      #expect(try await authenticator.lockState() == .blocked(for: .seconds(1)))
      phone.advance(.seconds(1))
      #expect(try await authenticator.lockState() == .locked)
    }
    #expect(try await authenticator.unlock(with: Self.wrong) == .wiped)
    #expect(phone.store.contents.isEmpty)
    #expect(phone.service.revoked == ["v1-token-333", "v2-token-334"])
    #expect(try await authenticator.lockState() == .noPasscode)
    #expect(try await authenticator.unlock(with: .passcode("1234")) == .noPasscode)
  }

  @Test("the table of consequences is the specification's")
  func rules() {
    let rules = LockRules.standard
    let expected: [LockRules.Consequence] = [
      .again(attemptsLeft: 4), .again(attemptsLeft: 3), .again(attemptsLeft: 2), .again(attemptsLeft: 1),
      .again(attemptsLeft: 0), .block(.seconds(60)), .block(.seconds(300)), .block(.seconds(900)),
      .block(.seconds(3600)), .block(.seconds(3600)), .wipe, .wipe,
    ]
    #expect((1...12).map(rules.consequence(ofWrong:)) == expected)
  }

  @Test("a right passcode before the eleventh wrong one forgives all")
  func forgiven() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    for _ in 0..<6 { _ = try await authenticator.unlock(with: Self.wrong) }
    phone.advance(.seconds(60))
    _ = try await authenticator.present()
    #expect(try await authenticator.unlock(with: Self.wrong) == .wrong(attemptsLeft: 4))
  }

  @Test("stopping the app gives no further try, and ends no block")
  func restart() async throws {
    let phone = Phone()
    _ = try await phone.ready()
    for left in [4, 3, 2, 1, 0] {
      #expect(try await phone.start().unlock(with: Self.wrong) == .wrong(attemptsLeft: left))
    }
    #expect(try await phone.start().unlock(with: Self.wrong) == .blocked(for: .seconds(60)))
    phone.advance(.seconds(20))
    #expect(try await phone.start().lockState() == .blocked(for: .seconds(40)))
    phone.advance(.seconds(40))
    #expect(try await phone.start().lockState() == .locked)
  }

  @Test("who stops the app between counting and comparing has used up a try")
  func killed() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    // What lies in the store when the comparison begins is what a killed app finds.
    let before = try await authenticator.lockRecords.load()
    _ = try await authenticator.unlock(with: Self.wrong)
    let after = try await authenticator.lockRecords.load()
    #expect(before?.wrongPasscodes == 0 && after?.wrongPasscodes == 1)
    // The eleventh was counted, and the app was stopped before it could erase: that is done first, whatever is tried.
    var record = try #require(after)
    record.wrongPasscodes = 11
    try await authenticator.lockRecords.save(record)
    #expect(try await phone.start().unlock(with: .passcode("1234")) == .wiped)
    #expect(phone.store.contents.isEmpty)
  }

  @Test("erasing that was interrupted is finished before there is a new passcode")
  func interrupted() async throws {
    let phone = Phone()
    try await phone.ready().connect(FakeService.v2Link)
    // The lock went, and then the app was stopped.
    phone.store.remove("saltedge.lock")
    let authenticator = try await phone.ready()
    #expect(try await authenticator.connections().isEmpty)
    #expect(phone.store.contents.keys.sorted() == ["saltedge.lock"])
  }

  @Test("turning the calendar ends no block: not while the app runs, and turned back not in another run either")
  func calendar() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    for _ in 0..<6 { _ = try await authenticator.unlock(with: Self.wrong) }
    phone.turn(by: 86_400)
    #expect(try await authenticator.lockState() == .blocked(for: .seconds(60)))
    phone.turn(by: -2 * 86_400)
    #expect(try await authenticator.lockState() == .blocked(for: .seconds(60)))
    let restarted = phone.start()
    #expect(try await restarted.lockState() == .blocked(for: .seconds(60)))
    phone.advance(.seconds(60))
    #expect(try await restarted.lockState() == .locked)
  }

  @Test("turning the calendar forward and starting the app again ends no block")
  func calendarAndRestart() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    for _ in 0..<6 { _ = try await authenticator.unlock(with: Self.wrong) }
    phone.turn(by: 86_400)
    #expect(try await phone.start().lockState() == .blocked(for: .seconds(60)))
    phone.advance(.seconds(45))
    #expect(try await phone.start().lockState() == .blocked(for: .seconds(15)))
    phone.turn(by: -3 * 86_400)
    #expect(try await phone.start().lockState() == .blocked(for: .seconds(15)))
    phone.advance(.seconds(15))
    #expect(try await phone.start().lockState() == .locked)
  }

  @Test("after a start of the device a block lasts as long as the device has not run since, whatever the calendar says")
  func reboot() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    for _ in 0..<6 { _ = try await authenticator.unlock(with: Self.wrong) }
    phone.turn(by: 86_400)
    phone.reboot(BootTime(id: "boot-2", sinceStart: .seconds(20)))
    #expect(try await phone.start().lockState() == .blocked(for: .seconds(40)))
    phone.reboot(BootTime(id: "boot-3", sinceStart: .seconds(5)))
    #expect(try await phone.start().lockState() == .blocked(for: .seconds(55)))
    phone.advance(.seconds(55))
    #expect(try await phone.start().lockState() == .locked)
  }

  @Test("a device that does not tell when it was started goes by the calendar, not backwards")
  func noBoot() async throws {
    let phone = Phone()
    phone.reboot(nil)
    let authenticator = try await phone.ready()
    for _ in 0..<6 { _ = try await authenticator.unlock(with: Self.wrong) }
    phone.turn(by: -86_400)
    #expect(try await phone.start().lockState() == .blocked(for: .seconds(60)))
    phone.turn(by: 61)
    #expect(try await phone.start().lockState() == .locked)
  }

  @Test("the app is locked at its start, in the background, and after a minute without a touch")
  func idle() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    #expect(try await authenticator.lockState() == .unlocked)
    phone.advance(.seconds(59))
    await authenticator.touch()
    phone.advance(.seconds(59))
    #expect(try await authenticator.lockState() == .unlocked)
    phone.advance(.seconds(1))
    #expect(try await authenticator.lockState() == .locked)
    // Too late for a touch.
    await authenticator.touch()
    #expect(try await authenticator.lockState() == .locked)
    _ = try await authenticator.present()
    await authenticator.lock()
    #expect(try await authenticator.lockState() == .locked)
    #expect(try await phone.start().lockState() == .locked)
  }

  @Test("an app that is locked while the user signs in keeps the connection, and shows it when it is unlocked")
  func signInLocks() async throws {
    let (phone, held) = (Phone(), Held())
    let authenticator = try await phone.ready { setup in
      setup.signInPage = SignInPage { _ in
        await held.authenticator?.lock()
        return "\(ReturnRedirect.returnURL)?id=333&access_token=v1-token-333"
      }
    }
    held.hold(authenticator)
    phone.service.showPage("https://bank.example/login")
    let connection = try await authenticator.connect(FakeService.v1Link)
    #expect(connection.status == .active && connection.accessToken == "v1-token-333")
    #expect(try await authenticator.lockState() == .locked)
    let error = await thrown {
      try await authenticator.connections()
    }
    #expect(error?.errorClass == .appLocked)
    _ = try await authenticator.present()
    #expect(try await authenticator.connections() == [connection])
    #expect(try await authenticator.authorizations().failures.isEmpty)
  }

  @Test("who erases everything while a bank's page is shown has no connection afterwards")
  func signInWipes() async throws {
    let (phone, held) = (Phone(), Held())
    let authenticator = try await phone.ready { setup in
      setup.signInPage = SignInPage { _ in
        _ = try? await held.authenticator?.wipe()
        return "\(ReturnRedirect.returnURL)?id=333&access_token=v1-token-333"
      }
    }
    held.hold(authenticator)
    phone.service.showPage("https://bank.example/login")
    let error = await thrown {
      try await authenticator.connect(FakeService.v1Link)
    }
    #expect(error?.kind == .outOfOrder && phone.store.contents.isEmpty)
  }

  @Test("biometrics open only where the user wants them, and a block holds for them too")
  func biometrics() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    #expect(try await !authenticator.offersBiometrics())
    #expect(try await authenticator.unlock(with: .biometrics) == .biometricsRefused)
    try await authenticator.useBiometrics(true)
    #expect(try await authenticator.offersBiometrics())
    await authenticator.lock()
    phone.face(.refused)
    #expect(try await authenticator.unlock(with: .biometrics) == .biometricsRefused)
    phone.face(.lockedOut)
    #expect(try await authenticator.unlock(with: .biometrics) == .biometricsLockedOut)
    #expect(try await authenticator.lockState() == .locked)
    phone.face(.recognised, isAvailable: false)
    #expect(try await authenticator.unlock(with: .biometrics) == .biometricsRefused)
    phone.face(.recognised)
    for _ in 0..<3 { _ = try await authenticator.unlock(with: Self.wrong) }
    guard case .passed(let proof) = try await authenticator.unlock(with: .biometrics) else {
      Issue.record("biometrics did not open")
      return
    }
    #expect(proof.method == .biometrics)
    // They forgive wrong passcodes.
    #expect(try await authenticator.unlock(with: Self.wrong) == .wrong(attemptsLeft: 4))
    for _ in 0..<5 { _ = try await authenticator.unlock(with: Self.wrong) }
    #expect(try await authenticator.unlock(with: .biometrics) == .blocked(for: .seconds(60)))
    #expect(try await !authenticator.offersBiometrics())
  }

  @Test(
    "a passcode is four digits, given twice; there is one", arguments: ["123", "12345", "12a4", "", "１２３４", "12 4"])
  func malformed(passcode: String) async throws {
    let authenticator = Phone().start()
    #expect(try await authenticator.lockState() == .noPasscode)
    #expect(try await authenticator.createPasscode(passcode, again: passcode) == .malformed)
    #expect(try await authenticator.createPasscode("1234", again: "1235") == .different)
    #expect(try await authenticator.createPasscode("1234", again: "1234") == .set)
    let error = await thrown {
      try await authenticator.createPasscode("9999", again: "9999")
    }
    #expect(error?.kind == .outOfOrder)
  }

  @Test("the passcode is changed by who knows the current one; a wrong one counts")
  func change() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    #expect(
      try await authenticator.changePasscode(current: "0000", to: "5678", again: "5678")
        == .refused(.wrong(attemptsLeft: 4)))
    #expect(try await authenticator.changePasscode(current: "1234", to: "5678", again: "5679") == .different)
    #expect(try await authenticator.changePasscode(current: "1234", to: "5678", again: "5678") == .set)
    #expect(try await authenticator.unlock(with: .passcode("1234")) == .wrong(attemptsLeft: 4))
    guard case .passed = try await authenticator.unlock(with: .passcode("5678")) else {
      Issue.record("the new passcode does not open")
      return
    }
  }

  @Test("who forgot the passcode erases everything, also what cannot be read any more, and services are told")
  func forgot() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    try await authenticator.connect(FakeService.v2Link)
    await authenticator.lock()
    phone.service.instead("PUT", .failure(TransportError(.offline)))
    #expect(try await authenticator.wipe() == 0)
    #expect(phone.store.contents.isEmpty)
    phone.store.write(Data("x".utf8), as: "saltedge.connections")
    #expect(try await authenticator.wipe() == 0)
    #expect(phone.store.contents.isEmpty)
  }

  @Test("erasing forgets every key that was ever made, also when the list of connections or of keys cannot be read")
  func everyKey() async throws {
    for damaged in ["saltedge.connections", "saltedge.keys"] {
      let phone = Phone()
      let authenticator = try await phone.ready()
      let gone = try await authenticator.connect(FakeService.v1Link)
      try await authenticator.connect(FakeService.v1Link)
      try await authenticator.connect(FakeService.v2Link)
      try await authenticator.remove(gone.guid)
      phone.store.write(Data("x".utf8), as: damaged)
      #expect(phone.store.contents.keys.count { $0.hasSuffix(".private") } == 2)
      try await phone.start().wipe()
      #expect(phone.store.contents.isEmpty)
    }
  }

  @Test("a list of connections that cannot be read leaves no key behind when a new passcode is set")
  func newPasscode() async throws {
    let phone = Phone()
    try await phone.ready().connect(FakeService.v2Link)
    phone.store.write(Data("x".utf8), as: "saltedge.connections")
    phone.store.remove("saltedge.lock")
    #expect(try await phone.ready().connections().isEmpty)
    #expect(phone.store.contents.keys.sorted() == ["saltedge.lock"])
  }

  @Test("what is kept of a passcode is a salted slow digest")
  func digest() throws {
    // RFC 7914 §11, and two salts.
    let salt = Data(repeating: 7, count: PasscodeDigest.saltBytes)
    let one = try PasscodeDigest(of: "1234", salt: salt, rounds: 2)
    #expect(try one.matches("1234") && !one.matches("1235"))
    #expect(try one != PasscodeDigest(of: "1234", salt: Data(repeating: 8, count: 16), rounds: 2))
    #expect(try one != PasscodeDigest(of: "1234", salt: salt, rounds: 3))
    #expect("\(one)" == "PasscodeDigest(redacted)" && PasscodeDigest.roundsByDefault >= 600_000)
    #expect(throws: SaltEdgeError.invalidKey) { try PasscodeDigest(of: "1234", salt: salt, rounds: 0) }
    let kept = try JSONEncoder().encode(one)
    #expect(!String(decoding: kept, as: UTF8.self).contains("1234"))
    #expect(try JSONDecoder().decode(PasscodeDigest.self, from: kept) == one)
  }
}

/// An authenticator for its own page to reach.
private final class Held: Sendable {
  private let value = Mutex<Authenticator?>(nil)

  var authenticator: Authenticator? { value.withLock { $0 } }

  func hold(_ authenticator: Authenticator) { value.withLock { $0 = authenticator } }
}
