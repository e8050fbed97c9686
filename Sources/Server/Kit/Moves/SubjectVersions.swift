// SPDX-License-Identifier: Apache-2.0

import Storage

/// How the subjects of acts stand now, as the flows tell that own them: so that no second person is asked about what
/// cannot be done any more as it was asked for.
package struct SubjectVersions: Sendable {
  /// Of the subject of an act; nil when the act cannot be done at all any more.
  package typealias Version = @Sendable (_ act: BoundAct, _ tx: any SQLTransaction) throws -> Int64?

  private let flows: [(prefix: String, version: Version)]

  /// - Parameter flows: by what their actions begin with.
  package init(_ flows: [(prefix: String, version: Version)]) { self.flows = flows }

  /// No flow tells.
  package static let none = SubjectVersions([])

  /// Whether the subject of an act changed since it was asked for, or is gone. False where no flow tells: the flow then
  /// finds it out itself when the act is to be done.
  package func isOutdated(_ act: BoundAct, in tx: any SQLTransaction) throws -> Bool {
    guard let flow = flows.first(where: { act.action.hasPrefix($0.prefix) }) else { return false }
    return try flow.version(act, tx) != act.version
  }
}
