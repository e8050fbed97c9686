// SPDX-License-Identifier: Apache-2.0

import Kit

/// One sheet of rules, and which others there are.
struct PolicyPage: ConsolePage {
  static var template: [UInt8] { PackageResources.PolicyPage_mustache }

  struct Choice {
    let code: String
    let isOn: Bool
  }

  struct Row {
    let name: String
    /// Nil for a value that is not shown.
    let value: String?
    let origin: Phrase
  }

  let choices: [Choice]
  let rows: [Row]
  let hasRows: Bool
  let foot: StaffFooter

  init(_ sheet: EffectivePolicy?, of sheets: [EffectivePolicy], for visit: StaffVisit) {
    choices = sheets.map { Choice(code: $0.code, isOn: $0.code == sheet?.code) }
    rows = (sheet?.rows ?? []).map { row in
      Row(
        name: row.name, value: row.value.map { $0.isEmpty ? "–" : $0 },
        origin: Phrase("policy_\(row.origin.rawValue)"))
    }
    hasRows = !rows.isEmpty
    foot = StaffFooter(visit)
  }
}
