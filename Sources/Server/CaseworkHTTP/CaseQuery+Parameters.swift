// SPDX-License-Identifier: Apache-2.0

import Casework
import Foundation
import Kit

extension CaseQuery {
  /// Reads the parameters of a request.
  /// - Throws: `Problem` validation-failed that names the parameter.
  package init(_ parameters: [(name: String, value: String)], of worker: CaseWorker) throws {
    self.init()
    for (name, value) in parameters where !value.isEmpty {
      let isRead =
        switch name {
        case "kind": read(kind: value)
        case "tenant": read(\.tenant, Self.isName(value) ? value : nil)
        case "state": read(\.state, CaseState(rawValue: value).flatMap { $0.isClosed ? nil : $0 })
        case "holder": read(\.holder, Self.holder(value, worker))
        case "overdue": read(overdue: value)
        case "id": read(\.id, Self.isName(value) ? value.lowercased() : nil)
        case "cursor": read(\.after, CaseCursor(text: value))
        case "limit": read(limit: value)
        default: true
        }
      guard isRead else { throw Problem.validation([.init("/\(name)", "format", "This value is not known.")]) }
    }
  }

  private static func holder(_ value: String, _ worker: CaseWorker) -> String? {
    value == "me" ? worker.actor : isName(value) ? "agent:\(value.lowercased())" : nil
  }

  private mutating func read<Value>(_ member: WritableKeyPath<CaseQuery, Value?>, _ value: Value?) -> Bool {
    self[keyPath: member] = value
    return value != nil
  }

  /// Kinds that are not known are refused: none at all would read as every kind.
  private mutating func read(kind: String) -> Bool {
    kinds.append(CaseKind(rawValue: kind))
    return CaseKind.known.contains(CaseKind(rawValue: kind))
  }

  private mutating func read(overdue: String) -> Bool {
    isOverdue = overdue == "true"
    return ["true", "false"].contains(overdue)
  }

  private mutating func read(limit: String) -> Bool {
    guard let number = Int(limit), (1...Self.pageMax).contains(number) else { return false }
    self.limit = number
    return true
  }
}
