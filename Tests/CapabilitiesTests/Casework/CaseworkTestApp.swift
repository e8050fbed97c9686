// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Identity
import Kit
import Storage
import TestSupport

@testable import Casework

/// The desk of a bank with two institutions over a real store, at an instant that the test sets.
struct CaseworkTestApp: Sendable {
  let clock: TestWorld
  let made: TestDatabase
  let vault: Vault
  let caseService: CaseService
  let core: CoreDependencies
  let staff: Staff

  var database: any SQLDatabase { made.database }
  var commands: CaseCommands { CaseCommands(core, caseService: caseService, staff: staff) }
  var approvals: ApprovalCommands { ApprovalCommands(core, caseService: caseService) }

  /// - Parameters:
  ///   - seed: of the installation's keys, among others.
  ///   - folder: of the epoch key, where persons have keys of their own.
  init(otherDesk: String? = "bank", seed: UInt64 = 1, personsKeysIn folder: TestFolder? = nil) async throws {
    clock = TestWorld(seed: seed)
    made = try await TestDatabase.make(
      .current,
      [
        DataKeyStore.migration, SubjectKeyStore.migration, SessionStore.migration, LiveEventStore.migration,
        LiveEventStore.forgettingMigration, ErasureProofStore.migration,
      ] + CaseworkModule.migrations + AuditStore.migrations + Staff.migrations)
    vault =
      if let folder {
        try await TestVault.openWithSubjectKeys(made.database, clock.world, in: folder)
      } else {
        try await TestVault.open(made.database, clock.world)
      }
    caseService = CaseService(
      database: made.database, world: clock.world, vault: vault,
      policy: CaseworkPolicy(institutions: ["bank", "other"], otherDesk: otherDesk), program: "1.2.3")
    core = CoreDependencies(
      database: made.database, world: clock.world, vault: vault, blobs: MemoryBlobs(clock.world).blobs,
      cases: caseService)
    staff = Staff(
      core: core, threads: BlockingThreadPool("test", width: 1), cost: PasswordCost(memory: 8, passes: 1))
  }

  // MARK: People

  func member(
    _ email: String, _ permissions: StaffPermission..., tenant: String = "bank"
  ) async throws -> StaffMember {
    try await staff.add(
      NewStaffMember(
        tenant: tenant, email: email, name: "Noor Haddad", gender: .female, languages: ["en"],
        permissions: Set(permissions), password: "correct horse battery"), by: "operator")
  }

  func agent(_ name: String = "noor") async throws -> CaseWorker {
    CaseWorker(try await member("\(name)@bank.example", .attendVideo, .chatCustomers))
  }

  // MARK: Work

  static func work(
    _ subject: String, kind: CaseKind = .rubixReview, tenant: String = "bank", risk: Int = 0,
    change: (inout AwaitedWork) -> Void = { _ in }
  ) -> AwaitedWork {
    var work = AwaitedWork(kind.rawValue, tenant: tenant, subject: subject, person: "person-\(subject)")
    work.risk = risk
    change(&work)
    return work
  }

  @discardableResult
  func open(_ work: AwaitedWork) async throws -> Case {
    try await database.write(retrying: .outdated) { [caseService] tx in
      try caseService.open(work, formerly: nil, by: "customer", in: tx)
      guard let item = try CaseStore(tx).find(subject: work.subject, kind: CaseKind(rawValue: work.kind)) else {
        throw SQLError.unreadable("no case was opened")
      }
      return item
    }
  }

  @discardableResult
  func conclude(
    _ work: AwaitedWork, _ outcome: String = "accepted", on basis: DecisionBasis = DecisionBasis(), by actor: String
  ) async throws -> Case? {
    try await database.write(retrying: .outdated) { [caseService] tx in
      try caseService.conclude(work, outcome: outcome, on: basis, by: actor, in: tx)
      return try CaseStore(tx).find(subject: work.subject, kind: CaseKind(rawValue: work.kind))
    }
  }

  func find(_ id: Case.ID) async throws -> Case? { try await database.read { try CaseStore($0).find(id) } }

  func trail(of item: Case) async throws -> [String] {
    try await database.read { try AuditStore($0).lines(of: item.chain).map { "\($0.action) \($0.actor)" } }
  }
}
