// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// What an app decides about its activations: which server they call, who reads screenshots, and whether IMEIs for tests
/// are taken.
///
/// A token goes to no server that is not named here, in the app's `Info.plist`, or in `initializeSDK`.
public struct OAConfiguration: Sendable {
  /// The base address of the server, such as `https://cover.example/apigateway`; https only. What is given to
  /// `initializeSDK` counts before it.
  public var apiEndPoint: String?
  /// The default endpoint of debug mode, which may be plain http; nil stands for `apiEndPoint`.
  public var debugAPIEndPoint: String?
  /// Whether IMEIs whose reporting body is `00` are taken: those are for tests. Debug mode does not change this.
  public var acceptsTestIMEIs: Bool
  /// Who reads the text of the screenshot of the phone's identifiers.
  public var textRecognizer: OATextRecognizer

  /// Creates the value from its members.
  public init(
    apiEndPoint: String? = nil, debugAPIEndPoint: String? = nil, acceptsTestIMEIs: Bool = false,
    textRecognizer: OATextRecognizer = .ofThisDevice
  ) {
    (self.apiEndPoint, self.debugAPIEndPoint) = (apiEndPoint, debugAPIEndPoint)
    (self.acceptsTestIMEIs, self.textRecognizer) = (acceptsTestIMEIs, textRecognizer)
  }

  /// The endpoints that the app's `Info.plist` names: `OneAssistAPIEndPoint` and `OneAssistDebugAPIEndPoint`.
  public static func ofApp() -> OAConfiguration { OAConfiguration(infoDictionary: Bundle.main.infoDictionary ?? [:]) }

  package init(infoDictionary: [String: Any]) {
    self.init(
      apiEndPoint: infoDictionary["OneAssistAPIEndPoint"] as? String,
      debugAPIEndPoint: infoDictionary["OneAssistDebugAPIEndPoint"] as? String)
  }

  /// The server that an activation calls.
  /// - Parameter given: what the call of `initializeSDK` names.
  /// - Throws: `SERVER_NOT_NAMED` when no address is given; 4006 for one that is not https, or http in debug mode.
  func base(isDebug: Bool, given: String?) throws(OAError) -> URL {
    guard let text = given ?? (isDebug ? debugAPIEndPoint : nil) ?? apiEndPoint else { throw .serverNotNamed }
    guard var parts = URLComponents(string: text),
      (isDebug ? ["https", "http"] : ["https"]).contains(parts.scheme?.lowercased() ?? ""),
      parts.host?.isEmpty == false, parts.query == nil, parts.fragment == nil, parts.user == nil
    else { throw .ERROR_UNABLE_TO_PROCESS_DESC }
    while parts.percentEncodedPath.hasSuffix("/") { parts.percentEncodedPath.removeLast() }
    guard let url = parts.url else { throw .ERROR_UNABLE_TO_PROCESS_DESC }
    return url
  }
}
