// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the QR code of a document says, by templates of both kinds: values are of the fields of the template only. The
/// first byte chooses what stands between the parts.
func fuzz(_ bytes: Data) {
  guard let first = bytes.first else { return }
  let separators = ["|", ";", "::", "\n", "<"]
  let payload = text(bytes.dropFirst())
  let fields = VisualZone.Field.allCases
  let byNumber = fields.enumerated().map { QRTemplate.Rule(field: $1, place: .part($0 + 1)) }
  let byKey = fields.map { QRTemplate.Rule(field: $0, place: .key($0.rawValue)) }
  for rules in [byNumber, byKey] {
    let template = QRTemplate(separator: separators[Int(first) % separators.count], rules: rules)
    for order in [PrintedDate.Order.dayFirst, .monthFirst] {
      for (field, value) in template.values(of: payload, dates: order) {
        precondition(!value.isEmpty)
        if field == .sex { precondition(["M", "F", "X"].contains(value)) }
      }
    }
  }
}
