// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The address of a call: the base of the configuration, a prefix in it kept, and the API's path below it. Slashes in
/// a row become one; query and fragment of the base are dropped (specification §2).
package enum ServiceAddress {
  private static let idBytesMax = 512
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  /// - Parameters:
  ///   - version: 1 or 2.
  ///   - steps: resource and ids; each becomes one segment, whatever is in it.
  ///   - query: items with values.
  /// - Throws: `notSent` for a base or an id that makes no address.
  package static func url(
    _ base: URL, version: Int, _ steps: [String], query: [(name: String, value: String)] = []
  ) throws(AuthenticatorError) -> URL {
    guard var parts = URLComponents(url: base, resolvingAgainstBaseURL: true),
      let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme), parts.host?.isEmpty == false,
      parts.user == nil, parts.password == nil
    else { throw AuthenticatorError(.notSent, .apiRequest) }
    var path =
      parts.percentEncodedPath.split(separator: "/").map(String.init) + ["api", "authenticator", "v\(version)"]
    for step in steps {
      // A step that names a folder above would lead to another resource.
      guard !step.isEmpty, step != ".", step != "..", step.utf8.count <= idBytesMax, let segment = encoded(step) else {
        throw AuthenticatorError(.notSent, .apiRequest)
      }
      path.append(segment)
    }
    parts.percentEncodedPath = "/" + path.joined(separator: "/")
    let items = query.compactMap { item in encoded(item.value).map { "\(item.name)=\($0)" } }
    parts.percentEncodedQuery = items.isEmpty ? nil : items.joined(separator: "&")
    parts.fragment = nil
    guard let url = parts.url else { throw AuthenticatorError(.notSent, .apiRequest) }
    return url
  }

  private static func encoded(_ text: String) -> String? {
    text.addingPercentEncoding(withAllowedCharacters: unreserved)
  }
}
