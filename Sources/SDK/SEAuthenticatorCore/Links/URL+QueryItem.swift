// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import SaltEdgeCore

extension URL {
  /// The first item of the query with that name, percent-decoded once; nil when it is absent or empty.
  public func queryItem(for name: String) -> String? { LinkQuery(of: absoluteString)?[name] }
}

extension String {
  /// The version of the API of a configuration's address, `1` when it names none (saltedge-authenticator §3). The
  /// published name has this spelling.
  public var apiVerion: String {
    guard let url = URL(string: self) else { return "1" }
    return String(ConnectLink(configuration: url).apiVersion)
  }
}
