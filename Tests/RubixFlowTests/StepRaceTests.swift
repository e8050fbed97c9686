// SPDX-License-Identifier: Apache-2.0

import Foundation
import RubixWire
import Kit
import Storage
import Testing

@testable import RubixFlow

@Suite("Rubix: racing requests")
struct StepRaceTests {
  private static let racers = 20

  @Test("twenty tries of the right code at once confirm the phone once; the others learn that it is confirmed")
  func verifyRace() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.registered()
    let code = try await app.code(.sms, of: customer)
    let commands = [app.contacts, try app.secondNode().contacts]
    let results = try await race(Self.racers) { number in
      try await commands[number % 2].verify(.sms, app.request(customer, VerifyOTPRequest(code: code)))
    }
    let outcomes = try results.map { try $0.get() }
    #expect(outcomes.count == Self.racers)
    #expect(try outcomes.count { try $0.status == 200 && !Self.alreadyVerified($0) } == 1)
    for answer in outcomes {
      #expect(answer.status == 200 || answer.text.contains("otp-mismatch"))
    }
    #expect(try await app.actions(of: customer).count { $0 == "contact.sms.confirmed" } == 1)
    let application = try await app.application(of: customer)
    #expect(application.sms == .confirmed && application.lastStep == .smsOTPVerified)
    #expect(application.completedSteps.count { $0 == .smsOTPVerified } == 1)
  }

  @Test("however many guess at once, no more than the allowed tries are compared")
  func guessRace() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.registered()
    let code = try await app.code(.sms, of: customer)
    let wrong = code == "000000" ? "000001" : "000000"
    let results = try await race(Self.racers) { _ in
      try await app.contacts.verify(.sms, app.request(customer, VerifyOTPRequest(code: wrong)))
    }
    #expect(results.answers.count == Self.racers)
    let late = try await app.contacts.verify(.sms, app.request(customer, VerifyOTPRequest(code: code)))
    #expect(late.status != 200)
    #expect(try await app.application(of: customer).sms == .codeSent)
  }

  @Test("a right code among wrong ones confirms at most once")
  func mixedRace() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.registered()
    let code = try await app.code(.sms, of: customer)
    let wrong = code == "000000" ? "000001" : "000000"
    let results = try await race(Self.racers) { number in
      try await app.contacts.verify(
        .sms, app.request(customer, VerifyOTPRequest(code: number % 2 == 0 ? code : wrong)))
    }
    let confirmed = try results.answers.count { try $0.status == 200 && !Self.alreadyVerified($0) }
    #expect(confirmed <= 1)
    #expect(try await app.actions(of: customer).count { $0 == "contact.sms.confirmed" } == confirmed)
    #expect(try await app.application(of: customer).sms == (confirmed == 1 ? .confirmed : .codeSent))
  }

  @Test("twenty registrations with one key at once make one application and give everybody the same tokens")
  func registerRace() async throws {
    let app = try await AgentTestApp()
    let body = try AgentTestApp.content(app.registerRequest())
    let key = UUID().uuidString
    let second = try app.secondNode().registration(limits: .init())
    let commands = [app.registration, second]
    let results = try await race(Self.racers) { number in
      try await commands[number % 2].register(body, tenant: app.tenant, address: "192.0.2.1", idempotencyKey: key)
    }
    let given = try results.map { try $0.get() }
    #expect(given.count { !$0.answer.isReplay } == 1)
    #expect(Set(given.map(\.answer.text)).count == 1)
    #expect(Set(given.map(\.tokens.refresh)).count == 1)
    #expect(try await app.count("SELECT COUNT(*) AS n FROM rubix_application") == 1)
  }

  @Test("twenty sessions asked for at once are one session, made once")
  func sessionRace() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.registered()
    let second = try app.secondNode().capture(
      evidence: app.capture.evidence, liveness: .inconclusive)
    let commands = [app.capture, second]
    let results = try await race(Self.racers) { number in
      try await commands[number % 2].createSession(app.request(customer))
    }
    let answers = try results.map { try $0.get() }
    #expect(answers.count { $0.status == 201 } == 1)
    #expect(answers.count { $0.status == 200 } == Self.racers - 1)
    #expect(Set(try answers.map { try $0.view(SessionView.self).id }).count == 1)
    #expect(try await app.count("SELECT COUNT(*) AS n FROM rubix_session") == 1)
    #expect(try await app.application(of: customer).phase == .capturingSelfies)
    #expect(try await app.actions(of: customer).count { $0 == "application.sessionOpened" } == 1)
  }

  @Test("sessions begun anew at once leave one active session")
  func restartRace() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.registered()
    _ = try await app.capture.createSession(app.request(customer))
    let results = try await race(8) { _ in
      try await app.capture.createSession(app.request(customer, CreateSessionRequest(restart: true)))
    }
    #expect(results.answers.allSatisfy { $0.status == 201 } && results.answers.count == 8)
    #expect(try await app.count("SELECT COUNT(*) AS n FROM rubix_session WHERE status = 'ACTIVE'") == 1)
    #expect(try await app.count("SELECT COUNT(*) AS n FROM rubix_session") == 9)
  }

  @Test("one key at once sends one code; the others get that answer or are told to wait")
  func keyRace() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.registered()
    let key = UUID().uuidString
    let results = try await race(Self.racers) { _ in
      try await app.contacts.send(.sms, app.request(customer, key: key))
    }
    #expect(results.answers.count { !$0.isReplay } == 1)
    #expect(Set(results.answers.map(\.text)).count == 1)
    #expect(Set(results.refusals).isSubset(of: ["step-in-progress"]))
    #expect(try await app.effects().count { $0 == "rubix.sendPasscode" } == 1)
  }

  private static func alreadyVerified(_ answer: StepAnswer) throws -> Bool {
    try answer.view(VerifyOTPResponse.self).alreadyVerified == true
  }
}
