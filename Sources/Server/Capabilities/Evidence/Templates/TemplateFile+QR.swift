// SPDX-License-Identifier: Apache-2.0

extension TemplateFile {
  private static let separatorMax = 4
  private static let keyMax = 24

  /// - Returns: nil when the template has no `qr`.
  func qr(_ object: [String: Any]) throws -> QRTemplate? {
    guard let value = object["qr"] else { return nil }
    guard let code = value as? [String: Any] else { throw fault("qr is no object") }
    try only(["separator", "fields"], in: code, at: "qr")
    let separator = try text(code, "separator", at: "qr")
    guard (1...Self.separatorMax).contains(separator.count) else {
      throw fault("qr.separator has 1 to \(Self.separatorMax) characters")
    }
    guard let list = code["fields"] as? [Any], (1...VisualZone.Field.allCases.count).contains(list.count) else {
      throw fault("qr.fields is a list of 1 to \(VisualZone.Field.allCases.count)")
    }
    var seen: Set<VisualZone.Field> = []
    let rules = try list.enumerated().map { number, item in
      let at = "qr.fields[\(number)]"
      guard let entry = item as? [String: Any] else { throw fault("\(at) is no object") }
      try only(["field", "part", "key"], in: entry, at: at)
      let field: VisualZone.Field = try choice(entry, "field", at: at)
      guard seen.insert(field).inserted else { throw fault("\(at): \(field.rawValue) is there twice") }
      return QRTemplate.Rule(field: field, place: try place(entry, at: at))
    }
    return QRTemplate(separator: separator, rules: rules)
  }

  private func place(_ entry: [String: Any], at place: String) throws -> QRTemplate.Place {
    switch (entry["part"], entry["key"]) {
    case (let part?, nil):
      guard let number = part as? Int, (1...QRTemplate.partMax).contains(number) else {
        throw fault("\(place).part is a number of 1 to \(QRTemplate.partMax)")
      }
      return .part(number)
    case (nil, _?):
      let key = try text(entry, "key", at: place)
      guard (1...Self.keyMax).contains(key.count) else {
        throw fault("\(place).key has 1 to \(Self.keyMax) characters")
      }
      return .key(key)
    default: throw fault("\(place) has either part or key")
    }
  }
}
