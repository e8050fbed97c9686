// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import RubixWire
import Kit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: how states move")
struct MachineTests {
  /// Moves as they are counted.
  private final class Counted: Sendable {
    private let lines = Mutex<[String]>([])

    var moves: FlowMoves {
      FlowMoves { flow, from, event, to in
        self.lines.withLock { $0.append("\(flow) \(from) \(event) \(to)") }
      }
    }

    func take() -> [String] {
      lines.withLock { lines in
        defer { lines = [] }
        return lines
      }
    }
  }

  @Test("contacts move back when they are corrected, are counted, and add no line of their own to the audit log")
  func corrections() async throws {
    let (app, counted) = (try await AgentTestApp(), Counted())
    let commands = try app.secondNode(moves: counted.moves).registration(limits: .init())
    let customer = try await app.registered()
    _ = try await app.code(.sms, of: customer)
    #expect(try await app.application(of: customer).sms == .codeSent)
    let before = try await app.actions(of: customer)
    _ = try await commands.updateMe(
      AgentTestApp.content(UpdateMeRequest(contactNo: "+96550005678", email: "eva@example.com")), by: customer)
    let application = try await app.application(of: customer)
    #expect(application.sms == .unconfirmed && application.email == .unconfirmed)
    #expect(application.applicant.contactNo == "+96550005678" && application.applicant.email == "eva@example.com")
    #expect(!application.completedSteps.contains(.smsOTPSent))
    #expect(
      counted.take() == [
        "contact codeSent contactChanged unconfirmed", "contact unconfirmed contactChanged unconfirmed",
      ])
    #expect(try await app.actions(of: customer) == before + ["application.corrected"])
  }

  @Test("a step writes its application once: by its move, or at its end when nothing moved")
  func writes() async throws {
    let (app, counted) = (try await AgentTestApp(), Counted())
    let node = try app.secondNode(moves: counted.moves)
    let capture = node.capture(evidence: app.capture.evidence, liveness: .inconclusive)
    let customer = try await app.registered()
    #expect(try await app.application(of: customer).version == 1)
    app.clock.advance(by: .days(1))
    _ = try await capture.createSession(app.request(customer))
    let opened = try await app.application(of: customer)
    #expect(opened.version == 2 && opened.completedSteps == [.registrationInitiated])
    #expect(opened.expiresAt == app.clock.now + Applications.idleLifetime)
    _ = try await node.contacts.send(.sms, app.request(customer))
    #expect(try await app.application(of: customer).version == 3)
    _ = try await app.registration.updateMe(AgentTestApp.content(UpdateMeRequest(firstName: "Eva")), by: customer)
    #expect(try await app.application(of: customer).version == 4)
    #expect(
      counted.take() == [
        "application registered sessionOpened capturingSelfies", "contact unconfirmed codeRequested codeSent",
      ])
  }

  @Test("the first move of an image writes its row, and only what came of a reading has a line in the audit log")
  func images() async throws {
    let (app, counted) = (try await AgentTestApp(), Counted())
    let core = try app.secondNode(moves: counted.moves).core
    let customer = try await app.registered()
    _ = try await app.capture.createSession(app.request(customer))
    let before = try await app.actions(of: customer)
    let kept = KeptImage(
      id: .init(core.world), width: 1600, height: 1200, sha256: "ab",
      quality: RubixWire.ImageQuality(sharpness: 0.5, glare: 0.1, crop: .ok, exposure: 0.4))
    try await app.core.database.write { [app] tx in
      let dossier = try app.rubix.applications.load(customer.id, tenant: customer.tenant, in: tx)
      let session = try #require(dossier.session)
      var image = kept.image(.passport, nil, of: dossier, in: session, at: app.clock.now)
      #expect(image.state == .pending)
      for event in [ImageEvent.taken, .accepted] {
        let machine = ImageMachine(image, of: customer.tenant, vault: core.vault)
        try core.mover.move(&image, on: event, of: machine, by: "system", in: tx)
        #expect(try ImageStore(tx, vault: core.vault).find(image.id, of: customer.id).state == image.state)
      }
    }
    #expect(counted.take() == ["image PENDING taken PROCESSING", "image PROCESSING accepted PROCESSED"])
    #expect(try await app.actions(of: customer) == before + ["document.processed"])
    #expect(try await app.effects() == ["rubix.readDocument"])
  }

  @Test("one application that cannot be read does not keep others from lapsing", arguments: Engine.available)
  func lapse(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    let effects = app.rubix.effects(
      evidence: app.capture.evidence,
      messenger: app.devOutbox.messenger, texts: .standardTexts)
    var customers: [Customer] = []
    for _ in 0..<3 { customers.append(try await app.customer(at: .registered)) }
    let broken = customers[0]
    try await app.core.database.write { tx in
      _ = try tx.execute("UPDATE rubix_application SET applicant = \(Data([0])) WHERE id = \(broken.id)")
    }
    app.clock.advance(by: .days(91))
    await #expect(throws: (any Error).self) { try await effects.sweepLapsed() }
    for customer in customers.dropFirst() {
      #expect(try await app.application(of: customer).phase == .expired)
    }
  }
}
