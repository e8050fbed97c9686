// SPDX-License-Identifier: Apache-2.0

import Configuration
import Foundation

/// What an operator decides about one module. The application reads the settings of every module in its list.
package protocol ModuleSettings: Sendable {
  /// Where clients reach this server by an address that the operator named.
  var publicURL: String? { get }

  /// The values of an installation whose operator decided nothing.
  init()
  /// - Throws: `SettingsError` that names the setting.
  init(_ config: ConfigReader) throws
}

extension ModuleSettings {
  package var publicURL: String? { nil }
}

extension ConfigReader {
  /// - Throws: `SettingsError` for a number outside of the range; one up to `Int.max` has no upper limit.
  package func int(forKey key: ConfigKey, default standard: Int, in range: ClosedRange<Int>) throws -> Int {
    let value = int(forKey: key, default: standard)
    guard range.contains(value) else {
      let (lowest, highest) = (range.lowerBound, range.upperBound)
      throw SettingsError("\(key) is " + (highest == .max ? "at least \(lowest)" : "between \(lowest) and \(highest)"))
    }
    return value
  }

  /// - Returns: nil for a setting that is not named.
  /// - Throws: `SettingsError` for a number outside of the range.
  package func int(forKey key: ConfigKey, in range: ClosedRange<Int>) throws -> Int? {
    guard int(forKey: key) != nil else { return nil }
    return try int(forKey: key, default: range.lowerBound, in: range)
  }

  /// An address of a server, without a slash at its end.
  /// - Parameters:
  ///   - rule: how such an address looks, after the name of the setting.
  ///   - lengthMax: bytes of it.
  ///   - allows: what else has to hold.
  package func publicURL(
    forKey key: ConfigKey, rule: String, lengthMax: Int = 2048, allows: (WebAddress) -> Bool = { _ in true }
  ) throws -> String? {
    guard let text = string(forKey: key) else { return nil }
    // It goes to every client, as it stands here: with a path as RFC 3986, section 3.3, writes it.
    let form = #/https?://[^/]+(?:[/A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})*/#
    guard let address = WebAddress(text, lengthMax: lengthMax), !address.hasQuery, !address.hasFragment,
      !text.hasSuffix("/"), text.wholeMatch(of: form) != nil, allows(address)
    else { throw SettingsError("\(key) is \(rule); in ASCII (xn--…, %20), without user and password") }
    return text
  }

  /// A path such as the standard one, without a slash at its end; empty for `/`.
  package func basePath(forKey key: ConfigKey, default standard: String) throws -> String {
    let base = string(forKey: key, default: standard)
    if base == "/" { return "" }
    guard base.wholeMatch(of: #/(/[A-Za-z0-9._~-]+)*/#) != nil else {
      throw SettingsError("\(key) is a path such as \(standard), without a slash at its end")
    }
    return base
  }
}

/// A setting that the operator has to correct.
package struct SettingsError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
