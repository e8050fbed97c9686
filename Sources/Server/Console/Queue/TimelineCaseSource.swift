// SPDX-License-Identifier: Apache-2.0
import Casework
import Delivery
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

/// A source whose cases are shown with every step and attempt so far, and with what the person was sent.
package struct TimelineCaseSource: CaseSource {
  private let source: any CaseSource
  private let database: any SQLDatabase
  private let messages: MessageLog
  private let addressee: Addressee

  /// Whom messages are about in the system of a case, where that is neither its subject nor its person.
  package typealias Addressee = @Sendable (Case) async throws -> String?

  package init(
    _ source: any CaseSource, in database: any SQLDatabase, messages: MessageLog,
    addressee: @escaping Addressee = { _ in nil }
  ) {
    (self.source, self.database, self.messages, self.addressee) = (source, database, messages, addressee)
  }

  package func material(of item: Case, for caller: CaseCaller) async throws -> CaseDetails {
    var material = try await source.material(of: item, for: caller)
    if let chain = material.chain {
      material.timeline = try await database.read { try AuditTail(of: chain, in: $0) }
    }
    for name in try await Set([item.person, item.subject, addressee(item)].compactMap(\.self)) {
      material.messages += try await messages.list(about: name)
    }
    material.messages.sort { ($0.firstAt, $0.id.rawValue) > ($1.firstAt, $1.id.rawValue) }
    return material
  }

  package func picture(_ number: Int, of item: Case, for caller: CaseCaller) async throws -> Data {
    try await source.picture(number, of: item, for: caller)
  }

  package func decide(_ answer: CaseAnswer, on item: Case, by caller: CaseCaller) async throws -> CaseDecided {
    try await source.decide(answer, on: item, by: caller)
  }
}
