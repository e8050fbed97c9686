// SPDX-License-Identifier: Apache-2.0

import Console
import FinapticFlow
import Foundation
import Identity
import Kit
import RubixFlow

/// The rules that count for an institution, with who decided each.
extension App {
  var policySource: PolicyRoutes.Source {
    let (all, desks) = (tenants.all, caseService.policy)
    let (banks, fourEyes) = (finaptic.dependencies.tenants, finaptic.dependencies.fourEyes)
    let decided = settings.decided
    return { member in
      let scope = desks.scope(of: member.tenant)
      var sheets = try all.filter { scope.contains($0.id) }.map { try $0.policySheet }
      for bank in try await banks.list() where scope.contains(bank.session) {
        let policy = try await fourEyes.look(of: bank.id)
        sheets.append(bank.policySheet(policy, documents: try await banks.documents(of: bank.id)))
      }
      // The installation's are of every institution.
      if member.permissions.contains(.readAudit) {
        sheets.append(EffectivePolicy("installation", decided.map { .init($0.name, $0.value, $0.origin) }))
      }
      return sheets
    }
  }
}

extension Tenant {
  /// Bytes of a value that is shown.
  private static let valueMax = 300

  /// The members of the tenants file, those with parts by their parts.
  var policySheet: EffectivePolicy {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let tree = try JSONDecoder().decode(JSONTree.self, from: try encoder.encode(self))
      guard case .object(let members) = tree else { return EffectivePolicy("rubix/\(id)", []) }
      let rows = members.sorted { $0.key < $1.key }.flatMap { name, value in
        value.leaves(name).map { leaf in
          EffectivePolicy.Row(
            leaf.name, String(leaf.value.prefix(Self.valueMax)), stated.contains(name) ? .tenant : .standard)
        }
      }
      return EffectivePolicy("rubix/\(id)", rows)
    }
  }
}

/// JSON as it is shown: an object by its members, everything else in a line.
private enum JSONTree: Decodable {
  case object([String: JSONTree])
  case list([JSONTree])
  case word(String)

  init(from decoder: any Decoder) throws {
    let one = try decoder.singleValueContainer()
    if one.decodeNil() {
      self = .word("")
    } else if let flag = try? one.decode(Bool.self) {
      self = .word("\(flag)")
    } else if let number = try? one.decode(Decimal.self) {
      self = .word("\(number)")
    } else if let text = try? one.decode(String.self) {
      self = .word(text)
    } else if let list = try? one.decode([JSONTree].self) {
      self = .list(list)
    } else {
      self = .object(try one.decode([String: JSONTree].self))
    }
  }

  func leaves(_ name: String) -> [(name: String, value: String)] {
    guard case .object(let members) = self else { return [(name, line)] }
    return members.sorted { $0.key < $1.key }.flatMap { $0.value.leaves("\(name).\($0.key)") }
  }

  private var line: String {
    switch self {
    case .word(let text): text
    case .list(let list): list.map(\.line).joined(separator: ", ")
    case .object(let members):
      members.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.line)" }.joined(separator: " ")
    }
  }
}

extension FinapticTenant {
  func policySheet(_ policy: FourEyesPolicy, documents: [String: String]) -> EffectivePolicy {
    let acts = policy.acts.sorted().map(\.rawValue).joined(separator: ", ")
    var rows: [EffectivePolicy.Row] = [
      .init("name", name, .api), .init("kind", kind.rawValue, .api), .init("mfa", mfa.rawValue, .api),
      .init("four_eyes", acts, policy.hasOwnActs ? .api : .standard),
      .init("four_eyes.amount", "\(FourEyesPolicy.standardAmount)", .standard),
    ]
    rows += policy.amounts.sorted { $0.key < $1.key }.map { .init("four_eyes.amount.\($0.key)", "\($0.value)", .api) }
    rows += documents.sorted { $0.key < $1.key }.map { .init("documents.\($0.key)", $0.value, .api) }
    return EffectivePolicy(session, rows)
  }
}
