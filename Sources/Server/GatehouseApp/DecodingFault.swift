// SPDX-License-Identifier: Apache-2.0

extension DecodingError {
  /// Where an operator's file is wrong, and why where that is known: names of members, and numbers of entries from 1.
  /// What was written there may be a secret and is left out.
  var fault: String {
    switch self {
    case .keyNotFound(let key, let context): Self.place(context.codingPath + [key]) + " is missing"
    // Our own reasons are constants and begin in lower case. Foundation's begin with a capital and hold what was read.
    case .dataCorrupted(let context) where context.debugDescription.first?.isLowercase == true:
      Self.place(context.codingPath) + ": " + context.debugDescription
    case .dataCorrupted(let context) where context.codingPath.isEmpty: "it is no JSON"
    case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
      Self.place(context.codingPath) + " is of another kind"
    @unknown default: "it cannot be read"
    }
  }

  private static func place(_ keys: [any CodingKey]) -> String {
    guard !keys.isEmpty else { return "it" }
    return keys.map { key in key.intValue.map { "entry \($0 + 1)" } ?? key.stringValue }.joined(separator: ".")
  }
}
