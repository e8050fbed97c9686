import Foundation
import Kit
import PowerAuthCore

/// A call whose demand was met, as a handler sees it: in the open, with what was proved.
package struct DeviceCall<Proof: Sendable>: Sendable {
  package let proof: Proof
  /// The plaintext, byte for byte as the device had it.
  package let body: Data
  /// Names the request in logs and answers.
  package let correlationID: String
  package let clientAddress: String?
  /// `Accept-Language` as it came (RFC 9110 §12.5.4).
  package let acceptLanguage: String?

  /// The whole body. Members that the type does not know are let be, `null` is as good as absent, and no body at all
  /// reads as `{}` (wultra-onboarding §1).
  /// - Throws: `Problem` invalid-request.
  package func content<Content: Decodable>(as type: Content.Type) throws -> Content {
    do { return try JSONDecoder().decode(type, from: body.isEmpty ? Data("{}".utf8) : body) } catch {
      throw Problem.requestUnreadable
    }
  }

  /// What is in `{"requestObject": …}`.
  /// - Throws: `Problem` invalid-request.
  package func requestObject<Content: Decodable>(as type: Content.Type) throws -> Content {
    try content(as: RequestEnvelope<Content>.self).requestObject
  }
}
