// SPDX-License-Identifier: Apache-2.0

extension DecodingError {
  /// Where an answer differs, such as `session.selfies`, and nothing of its content; `body` for the whole.
  package var path: String {
    let (keys, last): ([any CodingKey], (any CodingKey)?) =
      switch self {
      case .keyNotFound(let key, let context): (context.codingPath, key)
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
        (context.codingPath, nil)
      @unknown default: ([], nil)
      }
    let path = (keys + [last].compactMap { $0 }).map(\.stringValue).joined(separator: ".")
    return path.isEmpty ? "body" : path
  }
}
