internal import Foundation

/// Where the server is (specification §8).
enum ServerAddress {
  /// What apps call in the field.
  static let production = "https://api.oneassist.in/apigateway"
  /// What they call in debug mode when they name nothing else.
  static let staging = "https://uat1.1atesting.in/apigateway"

  /// - Parameter endPoint: honoured in debug mode only.
  /// - Throws: 4006 for an address that is not http or https.
  static func base(isDebug: Bool, endPoint: String?) throws(OAError) -> URL {
    let text = isDebug ? endPoint ?? staging : production
    guard var parts = URLComponents(string: text), ["http", "https"].contains(parts.scheme?.lowercased() ?? ""),
      parts.host?.isEmpty == false, parts.query == nil, parts.fragment == nil, parts.user == nil
    else { throw .ERROR_UNABLE_TO_PROCESS_DESC }
    while parts.percentEncodedPath.hasSuffix("/") { parts.percentEncodedPath.removeLast() }
    guard let url = parts.url else { throw .ERROR_UNABLE_TO_PROCESS_DESC }
    return url
  }
}
