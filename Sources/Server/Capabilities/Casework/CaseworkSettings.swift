// SPDX-License-Identifier: Apache-2.0

import Configuration
import Kit

/// What an operator decides about the work of staff.
package struct CaseworkSettings: ModuleSettings {
  /// Which institution works on the cases of tenants without staff of their own; nil is the only institution.
  package var desk: String?
  /// Minutes that a case of a kind may wait.
  var patience: [CaseKind: Int] = [:]
  /// Days for which a closed case is kept.
  var retentionDays = 400

  package init() {}

  // What docs/reference/settings.md tells of them.
  // casework.minutes.KIND (default: chat 5, rubix-call 30, rubix-screening and screening-hit 1440, others 480):
  //   minutes that a case of the kind may wait before it is overdue, 1 to 525600

  package init(_ config: ConfigReader) throws {
    desk = config.string(forKey: "casework.desk")
    for kind in CaseKind.known {
      let standard = kind.standardPatience.wholeSeconds / 60
      patience[kind] = try config.int(
        forKey: ConfigKey(["casework", "minutes", kind.rawValue]), default: standard, in: 1...525_600)
    }
    retentionDays = try config.int(forKey: "casework.retentionDays", default: retentionDays, in: 1...36_500)
  }

  /// - Parameter institutions: the ids of those whose staff work here.
  /// - Throws: `SettingsError` for a desk that is not one of them.
  package func policy(institutions: [String]) throws -> CaseworkPolicy {
    if let desk, !institutions.contains(desk) {
      throw SettingsError("casework.desk is the id of an institution of the tenants file")
    }
    var policy = CaseworkPolicy(institutions: institutions, otherDesk: desk)
    policy.patience = patience.mapValues { .minutes($0) }
    policy.retention = .days(retentionDays)
    return policy
  }
}
