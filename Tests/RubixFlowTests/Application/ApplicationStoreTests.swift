// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit
import Storage
import Testing

@testable import RubixFlow

@Suite("Rubix: the store of applications")
struct ApplicationStoreTests {
  @Test("an application comes back as it was written")
  func roundTrip() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .recapturing)
    let written = try await app.core.database.write { [app] tx in
      let store = ApplicationStore(tx, vault: app.core.vault)
      var application = try store.find(customer.id, tenant: "default")
      application.evaluation = .mismatched
      application.verificationAttempts = 2
      application.undeterminedCount = 1
      application.callRequired = true
      application.agentAccepted = true
      application.screenedAt = app.clock.now
      application.retake = [.selfie, .passport]
      application.sms = .codeSent
      application.record(.documentsMismatched)
      return try store.update(application, at: app.clock.now + .seconds(1))
    }
    let read = try await app.application(of: customer)
    #expect(read.phase == .recapturing && read.evaluation == .mismatched)
    #expect(read.verificationAttempts == 2 && read.undeterminedCount == 1)
    #expect(read.callRequired && read.agentAccepted && read.screenedAt == app.clock.now)
    #expect(read.retake == [.selfie, .passport] && read.sms == .codeSent && read.email == .confirmed)
    #expect(read.completedSteps == [.registrationInitiated, .documentsMismatched])
    #expect(read.lastStep == .documentsMismatched && read.applicant == written.applicant)
    #expect(read.updatedAt == app.clock.now + .seconds(1) && read.version == written.version)
  }

  @Test("another tenant's application is not there")
  func otherTenant() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .registered)
    let refusal = try await problem {
      try await app.core.database.read { [app] tx in
        try ApplicationStore(tx, vault: app.core.vault).find(customer.id, tenant: "other")
      }
    }
    #expect(refusal == .notFound)
  }

  @Test("of twenty writes decided on one version, exactly one is written")
  func guarded() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .registered)
    let seen = try await app.application(of: customer)
    let databases = [app.core.database, try app.store.reopened()]
    let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<20 {
        group.addTask {
          do {
            return try await databases[number % 2].write { [app] tx in
              var mine = seen
              mine.verificationAttempts = number
              _ = try ApplicationStore(tx, vault: app.core.vault).update(mine, at: app.clock.now)
              return true
            }
          } catch SQLError.outdated { return false }
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(winners == 1)
    #expect(try await app.application(of: customer).version == seen.version + 1)
  }

  @Test("look-ups by phone stay within the tenant and leave the asking application out")
  func contact() async throws {
    let app = try await AgentTestApp()
    let first = try await app.customer(at: .registered)
    let second = try await app.customer(at: .completed)
    _ = try await app.customer(at: .registered, tenant: "other")
    let found = try await app.core.database.read { [app] tx in
      try ApplicationStore(tx, vault: app.core.vault)
        .withContact("+96550001234", tenant: "default", except: first.id)
    }
    #expect(found == [second.id])
  }

  @Test("what has run out of time is exactly what the table lets lapse")
  func lapsed() async throws {
    let app = try await AgentTestApp()
    var due: Set<String> = []
    for phase in ApplicationPhase.allCases {
      let customer = try await app.customer(at: phase)
      if applicationFlow.allows(.lapsed, from: phase) { due.insert(customer.id.rawValue) }
    }
    let found = try await app.core.database.read { [app] tx in
      let store = ApplicationStore(tx, vault: app.core.vault)
      let early = try store.lapsed(before: app.clock.now + .days(89), limit: 100).map(\.id.rawValue)
      return (early, try store.lapsed(before: app.clock.now + .days(90), limit: 100).map(\.id.rawValue))
    }
    #expect(found.0.isEmpty)
    #expect(Set(found.1) == due)
  }

  @Test("no name, address or number is on disk in clear")
  func sealed() async throws {
    let app = try await AgentTestApp()
    _ = try await app.registered(app.registerRequest(contactNo: "+96550009876", email: "quux@example.com"))
    let disk = try await app.store.bytesOnDisk()
    for text in ["Mustermann", "quux@example.com", "50009876", AgentTestApp.device] {
      #expect(disk.range(of: Data(text.utf8)) == nil, "\(text)")
    }
  }
}
