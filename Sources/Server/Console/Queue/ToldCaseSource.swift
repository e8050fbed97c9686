// SPDX-License-Identifier: Apache-2.0
import Casework
import Foundation
import Kit
import Storage

/// The newest lines of a chain of the audit, the oldest of them first.
struct AuditTail: Sendable {
  static let none = AuditTail(lines: [], isCut: false)
  private static let linesMax = 200

  let lines: [AuditLine]
  /// Whether there are older ones.
  let isCut: Bool

  private init(lines: [AuditLine], isCut: Bool) { (self.lines, self.isCut) = (lines, isCut) }

  init(of chain: String, in tx: any SQLTransaction) throws {
    let store = AuditStore(tx)
    let before = max(0, try store.length(of: chain) - Self.linesMax)
    (lines, isCut) = (try store.lines(of: chain, after: before, limit: Self.linesMax), before > 0)
  }
}

/// A source whose cases are shown with every step and attempt so far.
package struct ToldCaseSource: CaseSource {
  private let source: any CaseSource
  private let database: any SQLDatabase

  package init(_ source: any CaseSource, in database: any SQLDatabase) {
    (self.source, self.database) = (source, database)
  }

  package func material(of item: Case, for caller: CaseCaller) async throws -> CaseMaterial {
    var material = try await source.material(of: item, for: caller)
    if let chain = material.chain {
      material.timeline = try await database.read { try AuditTail(of: chain, in: $0) }
    }
    return material
  }

  package func picture(_ number: Int, of item: Case, for caller: CaseCaller) async throws -> Data {
    try await source.picture(number, of: item, for: caller)
  }

  package func decide(_ answer: CaseAnswer, on item: Case, by caller: CaseCaller) async throws -> CaseDecided {
    try await source.decide(answer, on: item, by: caller)
  }
}
