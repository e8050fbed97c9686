// SPDX-License-Identifier: Apache-2.0

import Activations
import Casework
import Delivery
import Identity
import Kit
import Storage
import Testing
import TestSupport

@testable import WultraFlow

@Suite("Wultra: a blocked device is let in again by two persons, where customers are real")
struct DeviceUnblockTests {
  private static let reason = "OPERATIONAL_ERROR"

  private func reader(_ name: String = "1") -> RecordReader {
    RecordReader(chain: "reader-\(name)", actor: "agent:\(name)", email: "r\(name)@bank.example", scope: .only("acme"))
  }

  private func checker(_ app: WultraTestApp) async throws -> StaffMember {
    let staff = Staff(
      core: app.core, threads: BlockingThreadPool("hash", width: 1), cost: PasswordCost(memory: 8, passes: 1))
    return try await staff.add(
      NewStaffMember(
        tenant: "acme", email: "checker@bank.example", name: "Noor Haddad", gender: .female, languages: ["en"],
        permissions: [.approveVerdicts], password: "correct horse battery 9"), by: "operator")
  }

  @Test("the table of two has the rows of the other, and letting in again is under four eyes")
  func table() {
    for (one, two) in zip(activationFlow.rows, activationFlowOfTwo.rows) {
      #expect(one.from == two.from && one.event == two.event && one.to == two.to && one.effects == two.effects)
      #expect(two.fourEyes == (two.event == .unblocked ? Activation.unblockRule : nil) && one.fourEyes == nil)
    }
    #expect(activationFlow.rows.count == activationFlowOfTwo.rows.count)
  }

  @Test("blocking takes one; letting in again waits, is carried out once by who asked, and names both")
  func whole() async throws {
    let app = try await WultraTestApp { $0.unblocksNeedTwo = true }
    let person = try await app.activated()
    let repository = ProcessRepository(app.core, activations: app.activations, policy: app.dossiers.policy)
    let device = person.activation
    func act(_ code: String, because reason: String = Self.reason, by name: String = "1") async throws -> Bool {
      try await repository.act(
        RecordAct(code, device.rawValue), of: person.process, because: reason, for: reader(name))
    }
    func asked(_ name: String = "1") async throws -> RecordAct.Asked? {
      try await repository.record(person.process, for: reader(name)).acts.first?.asked
    }
    #expect(try await act("block-device", because: "FRAUD_SUSPECTED"))
    for _ in 0..<2 { #expect(try await !act("unblock-device")) }
    #expect(try await app.activations.find(device).state == .blocked)
    #expect(try await asked() == .init(Self.reason, isAgreed: false))
    #expect(try await asked("2") == nil)
    let caseService = try #require(app.caseService)
    let subjects = SubjectVersions([
      ("activation.", { act, tx in try Activation.version(ofBlocked: .init(rawValue: act.subject), in: tx) })
    ])
    let (approvals, member) = (
      ApprovalCommands(app.core, caseService: caseService, subjects: subjects), try await checker(app)
    )
    let waiting = try await approvals.pending(for: CaseWorker(member))
    #expect(waiting.map(\.act.content) == [Self.reason])
    _ = try await approvals.decide(try #require(waiting.first).id, agreeing: true, by: CaseWorker(member))
    #expect(try await asked() == .init(Self.reason, isAgreed: true))
    // Another reason is another act, and so is that of another member.
    #expect(try await !act("unblock-device", because: "CUSTOMER_REQUEST"))
    #expect(try await !act("unblock-device", by: "2"))
    #expect(try await act("unblock-device"))
    #expect(try await app.activations.find(device).state == .active)
    // What was asked for beside it cannot be done any more.
    #expect(try await approvals.pending(for: CaseWorker(member)).isEmpty)
    let lines = try await app.database.read { tx in
      try AuditStore(tx).lines(of: person.process).filter { $0.action == "wultra.device.unblocked" }
        + AuditStore(tx).lines(of: "activation:\(device)").filter { $0.action == "activation.unblocked" }
    }
    #expect(lines.count == 2 && lines.allSatisfy { $0.actor == "agent:1" && $0.facts["checker"] == member.actor })
    #expect(lines.allSatisfy { $0.facts["reason"] == Self.reason })
  }

  @Test("asked for many times at once, it is asked for once")
  func atOnce() async throws {
    let app = try await WultraTestApp { $0.unblocksNeedTwo = true }
    let person = try await app.activated()
    let repository = ProcessRepository(app.core, activations: app.activations, policy: app.dossiers.policy)
    let (process, device, colleague) = (person.process, person.activation.rawValue, reader())
    _ = try await repository.act(RecordAct("block-device", device), of: process, because: Self.reason, for: colleague)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let isDone = try await repository.act(
            RecordAct("unblock-device", device), of: process, because: Self.reason, for: colleague)
          #expect(!isDone)
        }
      }
      try await group.waitForAll()
    }
    let approvals = ApprovalCommands(app.core, caseService: try #require(app.caseService))
    #expect(try await approvals.pending(for: CaseWorker(checker(app))).count == 1)
  }

  @Test("a word that was given before the device was blocked anew does not let it in")
  func outdated() async throws {
    let app = try await WultraTestApp { $0.unblocksNeedTwo = true }
    let person = try await app.activated()
    let repository = ProcessRepository(app.core, activations: app.activations, policy: app.dossiers.policy)
    let device = person.activation
    func act(_ code: String) async throws -> Bool {
      try await repository.act(
        RecordAct(code, device.rawValue), of: person.process, because: Self.reason, for: reader())
    }
    _ = try await act("block-device")
    #expect(try await !act("unblock-device"))
    let (approvals, member) = (
      ApprovalCommands(app.core, caseService: try #require(app.caseService)), try await checker(app)
    )
    let first = try #require(try await approvals.pending(for: CaseWorker(member)).first)
    _ = try await approvals.decide(first.id, agreeing: true, by: CaseWorker(member))
    // The bank's own server lets it in, and it is blocked again.
    _ = try await app.activations.unblock(device, by: .client("bank"))
    _ = try await act("block-device")
    #expect(try await !act("unblock-device"))
    #expect(try await app.activations.find(device).state == .blocked)
  }

  @Test("at a prompt it takes the same two persons, and a device that is not there is not found")
  func prompt() async throws {
    let app = try await WultraTestApp { $0.unblocksNeedTwo = true }
    let person = try await app.activated()
    let repository = ProcessRepository(app.core, activations: app.activations, policy: app.dossiers.policy)
    let device = person.activation
    func unblock(_ device: Activation.ID, naming approval: String? = nil) async throws -> RequestedApproval? {
      try await repository.unblock(device, because: Self.reason, naming: approval, for: reader())
    }
    _ = try await repository.act(
      RecordAct("block-device", device.rawValue), of: person.process, because: Self.reason, for: reader())
    let asked = try #require(try await unblock(device))
    #expect(try await unblock(device, naming: asked.id)?.state == .pending)
    // The desk shows the same request.
    let act = try await repository.record(person.process, for: reader()).acts.first
    #expect(act?.asked == .init(Self.reason, isAgreed: false))
    let (approvals, member) = (
      ApprovalCommands(app.core, caseService: try #require(app.caseService)), try await checker(app)
    )
    _ = try await approvals.decide(.init(rawValue: asked.id), agreeing: true, by: CaseWorker(member))
    #expect(try await app.activations.find(device).state == .blocked)
    #expect(try await unblock(device, naming: asked.id) == nil)
    #expect(try await app.activations.find(device).state == .active)
    await #expect(throws: Problem.notFound) { _ = try await unblock(.init(app.core.world)) }
    let stranger = RecordReader(chain: "r", actor: "agent:x", email: "x@bank.example", scope: .only("other"))
    await #expect(throws: Problem.notFound) {
      _ = try await repository.unblock(device, because: Self.reason, for: stranger)
    }
  }

  @Test("a device that the bank's own server activated takes the same two persons at a prompt, asked for once")
  func withoutOnboarding() async throws {
    let app = try await WultraTestApp { $0.unblocksNeedTwo = true }
    let person = try await app.activated()
    let device = person.activation
    // As PowerAuth alone leaves it: nothing here says that it was ever onboarded.
    try await app.database.write { _ = try $0.execute("UPDATE wultra_process SET activation_id = 'another'") }
    let repository = ProcessRepository(app.core, activations: app.activations, policy: app.dossiers.policy)
    let colleague = reader()
    @Sendable func unblock(naming approval: String? = nil) async throws -> RequestedApproval? {
      try await repository.unblock(device, because: Self.reason, naming: approval, for: colleague)
    }
    #expect(try await unblock() == nil)
    _ = try await app.activations.block(device, reason: "LOST", by: .client("bank"))
    let ids = try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<4 { group.addTask { try await unblock()?.id } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(ids.count == 1)
    let asked = try #require(ids.compactMap(\.self).first)
    let user = try await app.activations.find(device).user
    let own = RecordReader(chain: user, actor: "agent:u", email: "u@bank.example", scope: .only("acme"))
    let stranger = RecordReader(chain: "r", actor: "agent:x", email: "x@bank.example", scope: .only("other"))
    for (reader, code) in [(own, "forbidden"), (stranger, "not-found")] {
      #expect(
        try await refusal { _ = try await repository.unblock(device, because: Self.reason, for: reader) } == code)
    }
    let (approvals, member) = (
      ApprovalCommands(app.core, caseService: try #require(app.caseService)), try await checker(app)
    )
    #expect(try await approvals.pending(for: CaseWorker(member)).map(\.id.rawValue) == [asked])
    _ = try await approvals.decide(.init(rawValue: asked), agreeing: true, by: CaseWorker(member))
    #expect(try await app.activations.find(device).state == .blocked)
    #expect(try await unblock(naming: asked) == nil)
    #expect(try await app.activations.find(device).state == .active)
    let line = try await app.database.read { tx in
      try AuditStore(tx).lines(of: "activation:\(device)").last { $0.action == "activation.unblocked" }
    }
    #expect(line?.actor == colleague.actor && line?.facts["checker"] == member.actor)
    // With the user goes what was asked about the user's device.
    try await app.database.write { tx in
      try app.core.cases.forget(
        person: app.activations.keySubject(of: user, tenant: "acme").id, in: tx)
      #expect(try tx.query("SELECT id FROM casework_approval").isEmpty)
    }
  }

  @Test("two persons are the rule outside of sandboxes, and a setting decides otherwise")
  func settings() throws {
    var settings = WultraSettings()
    #expect(settings.policy(isSandbox: false).unblocksNeedTwo && !settings.policy(isSandbox: true).unblocksNeedTwo)
    settings.unblocksNeedTwo = false
    #expect(!settings.policy(isSandbox: false).unblocksNeedTwo)
  }
}
