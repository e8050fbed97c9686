// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Turns parameters into the bytes that iOS apps send (saltedge-authenticator §2): sorted keys, indented by two spaces,
/// slashes escaped. A signature covers these bytes, so they are made once, then signed and sent.
public struct ParametersSerializer {
  /// - Returns: nil for what is no JSON.
  public static func createBody(parameters: [String: Any]) -> Data? {
    guard JSONSerialization.isValidJSONObject(parameters) else { return nil }
    return try? JSONSerialization.data(withJSONObject: parameters, options: [.prettyPrinted, .sortedKeys])
  }
}

extension Dictionary where Key == String, Value == Any {
  /// The same bytes as text; nil for what is no JSON.
  public var jsonString: String? {
    ParametersSerializer.createBody(parameters: self).map { String(decoding: $0, as: UTF8.self) }
  }
}

extension Dictionary {
  /// This and the other; of two equal keys the other's value counts.
  public func merge(with other: [Key: Value]) -> [Key: Value] { merging(other) { _, theirs in theirs } }
}
