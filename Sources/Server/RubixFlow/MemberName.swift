// SPDX-License-Identifier: Apache-2.0

/// Any name of a member in an operator's file. A member that is misspelt would be passed over, and what it was to
/// change would be as it is without it.
struct MemberName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }

  /// - Throws: `DecodingError` that names the first member which is another one.
  static func refuseOthers(than names: [String], in decoder: any Decoder) throws {
    let file = try decoder.container(keyedBy: MemberName.self)
    let others = file.allKeys.filter { !names.contains($0.stringValue) }
    guard let other = others.min(by: { $0.stringValue < $1.stringValue }) else { return }
    throw DecodingError.dataCorruptedError(
      forKey: other, in: file, debugDescription: "there is no member of this name")
  }
}
