// SPDX-License-Identifier: Apache-2.0

import Casework
import Console
import Foundation
import HTTP
import Kit
import RubixFlow

/// Access and erasure of personal data, over the modules of the application.
extension App {
  /// The named module, or without a name the one that owns the tenant, as Finaptic owns `finaptic-3`, or else Rubix.
  /// - Throws: `Problem` not found for a name of no module.
  package func module(named name: String?, tenant: String = "") throws -> any Module {
    let modules = modules
    if let name {
      guard let named = modules.first(where: { type(of: $0).name == name }) else { throw Problem.notFound }
      return named
    }
    let owner = modules.first { type(of: $0).owns(tenant: tenant) }
    return try owner ?? self.module(named: RubixModule.name)
  }

  /// The columns of all modules that keys of persons seal.
  var sealedColumns: [SealedColumn] { entries.flatMap { $0.type.sealedColumns } }

  /// Destroys keys and keeps proofs, for the erasures of every flow.
  var subjectErasures: SubjectErasures { SubjectErasures(core, columns: sealedColumns) }

  /// The same at the desk, for every module that keeps something of people.
  var rightsCommands: RightsCommands {
    // The console keeps nothing of people, and is made of this.
    let modules = entries.filter { $0.type != ConsoleModule.self }.compactMap { $0.make(self) as? any Module }
    let parties = modules.compactMap { module -> (String, RightsCommands.Party)? in
      guard let exporter = module.exporter, let eraser = module.eraser else { return nil }
      return (type(of: module).name, .init(exporter: exporter, eraser: eraser))
    }
    return RightsCommands(
      core, erasures: subjectErasures, parties: Dictionary(parties) { one, _ in one }, policy: caseService.policy)
  }

  /// The signed proof of an erasure; nil for a person of whom nothing was erased.
  package func erasureProof(of subject: DataSubject, from module: any Module) async throws -> Data? {
    guard let eraser = module.eraser else { throw Problem.notFound }
    let (name, erasures) = (eraser.proofName(of: subject), subjectErasures)
    return try await database.read { try erasures.proof(of: name, in: $0) }
  }

  /// Looks for what is left of an erased person in this installation.
  package func checkErasure(_ proof: ErasureProof) async throws -> ErasureCheck.Report {
    try await ErasureCheck(database, vault: vault, blobs: core.blobs, columns: sealedColumns).run(proof)
  }

  /// - Throws: `Problem` not found, also for a module that keeps nothing of people.
  package func export(
    _ subject: DataSubject, from module: any Module, includingRestricted: Bool = false,
    to writer: inout any ExportWriter
  ) async throws {
    guard let exporter = module.exporter else { throw Problem.notFound }
    try await exporter.export(subject, includingRestricted: includingRestricted) { try writer.add($0, $1) }
  }

  /// - Parameter progress: is told how far flows have come that erase page by page.
  /// - Returns: what was erased, in sentences for the operator.
  /// - Throws: `Problem` not found, also for a module that keeps nothing of people; conflict `duty-to-keep`.
  package func erase(
    _ subject: DataSubject, from module: any Module, for reason: ErasureReason, despiteDuty: Bool = false,
    progress: WorkProgress = WorkProgress()
  ) async throws -> [String] {
    guard let eraser = module.eraser else { throw Problem.notFound }
    if let paged = eraser as? any PagedEraser {
      return try await paged.erase(subject, for: reason, despiteDuty: despiteDuty, progress: progress)
    }
    return try await eraser.erase(subject, for: reason, despiteDuty: despiteDuty)
  }
}
