// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Asks to connect to a bank.
public struct ConnectLink: Hashable, Sendable, Redacted {
  /// Where the bank describes itself.
  public let configuration: URL
  /// Tells the bank who is connecting; good for once. nil when the user signs in.
  public let connectQuery: String?

  public init(configuration: URL, connectQuery: String? = nil) {
    (self.configuration, self.connectQuery) = (configuration, connectQuery)
  }

  /// The version of the API: the number in the segment behind `authenticator` of the configuration's path; else 1.
  public var apiVersion: Int {
    let segments = configuration.path(percentEncoded: true).split(separator: "/", omittingEmptySubsequences: false)
    guard let place = segments.firstIndex(of: "authenticator"), place + 1 < segments.endIndex else { return 1 }
    let segment = segments[place + 1]
    let digits = segment.hasPrefix("v") ? segment.dropFirst() : segment
    guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return 1 }
    return Int(digits) ?? 1
  }

  public var text: String {
    let query = LinkQuery.text([("configuration", configuration.absoluteString), ("connect_query", connectQuery)])
    return "\(DeepLink.scheme)://\(DeepLink.host)/connect?\(query)"
  }
}
