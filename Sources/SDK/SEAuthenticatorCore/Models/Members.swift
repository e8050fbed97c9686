// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The members of a JSON object that came out of a decryption, read as tolerantly as peers write them.
package struct Members {
  private let dictionary: [String: Any]

  package init(_ dictionary: [String: Any]) { self.dictionary = dictionary }

  package subscript(name: String) -> Any? { dictionary[name] }

  package func text(_ name: String) -> String? { dictionary[name] as? String }

  /// A text, or a whole number as text.
  package func id(_ name: String) -> String? {
    if let text = text(name) { return text }
    return (dictionary[name] as? Int).map { String($0) }
  }

  package func instant(_ name: String) -> Date? { text(name)?.iso8601date }
}
