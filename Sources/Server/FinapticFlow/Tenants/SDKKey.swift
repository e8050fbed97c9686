import Foundation

/// What an app is given to reach its tenant: base64 of this as JSON (finaptic §2.2). It holds no secret.
package struct SDKKey: Codable, Sendable, Equatable {
  package var v = 1
  /// `sandbox` or `production`.
  package let env: String
  package let tenantId: Int
  package let baseUrl: String
  package let clientKey: String
  package let pins: [String]

  init(env: String, tenantId: Int, baseUrl: String, clientKey: String, pins: [String]) {
    (self.env, self.tenantId, self.baseUrl) = (env, tenantId, baseUrl)
    (self.clientKey, self.pins) = (clientKey, pins)
  }

  /// As it goes into an app.
  package var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Texts and numbers only: nothing that cannot be encoded.
    return ((try? encoder.encode(self)) ?? Data()).base64EncodedString()
  }

  static func isPin(_ text: String) -> Bool {
    let parts = text.split(separator: "/", maxSplits: 1)
    return parts.count == 2 && parts[0] == "sha256" && Data(base64Encoded: String(parts[1]))?.count == 32
  }
}
