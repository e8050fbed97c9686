// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// How to ask an SMS provider over HTTP: a request whose URL and body have the holes `{to}`, `{text}`, `{sender}` and
/// `{id}`. Values are escaped for where they stand: percent-encoded in the URL and in forms, as JSON or XML text in
/// bodies of those types.
package struct SMSHTTPSettings: Sendable {
  /// How values are written into the body.
  enum BodyKind: Sendable { case form, json, xml, text }

  package let method: String
  let url: TextTemplate
  /// Without holes, as they may hold the provider's secret and nothing else.
  let headers: [String: String]
  let body: TextTemplate
  let bodyKind: BodyKind
  /// Number or name that the message seems to come from.
  package let sender: String
  package let successStatuses: ClosedRange<Int>
  package var caFile: String?
  package var connectTimeout = Duration.seconds(10)
  package var timeout = Duration.seconds(30)

  /// - Parameter headers: `Content-Type` among them decides how the body is escaped; without it the body is a form.
  /// - Throws: `SMSHTTPSettingsError` when the template cannot make a proper request.
  package init(
    method: String = "POST", url: String, headers: [String: String] = [:], body: String = "", sender: String,
    successStatuses: ClosedRange<Int> = 200...299
  ) throws {
    guard ["GET", "POST", "PUT"].contains(method) else { throw SMSHTTPSettingsError.method }
    for (name, value) in headers {
      guard !name.isEmpty, name.utf8.allSatisfy({ Self.isTokenByte($0) }),
        value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f })
      else { throw SMSHTTPSettingsError.header(name.filter { $0.isLetter || $0 == "-" }) }
    }
    let contentType = headers.first { $0.key.lowercased() == "content-type" }?.value
    guard let kind = Self.kind(contentType) else { throw SMSHTTPSettingsError.contentType }
    self.method = method
    self.url = TextTemplate(url)
    self.body = TextTemplate(body)
    bodyKind = kind
    self.headers = headers
    self.sender = sender
    self.successStatuses = successStatuses
    try checkHoles()
    try checkURL()
    try checkBody()
  }

  private static let known: Set<String> = ["to", "text", "sender", "id"]

  private func checkHoles() throws {
    let names = url.names.union(body.names)
    if let unknown = names.subtracting(Self.known).min() { throw SMSHTTPSettingsError.unknownHole(unknown) }
    for needed in ["to", "text"] where !names.contains(needed) { throw SMSHTTPSettingsError.missingHole(needed) }
  }

  /// Holes may stand in path and query only, and the whole must be HTTPS unless the provider is this machine.
  private func checkURL() throws {
    guard let sample = WebAddress(url.fill { _ in "0" }), let other = WebAddress(url.fill { _ in "1" }),
      sample.host == other.host, sample.port == other.port, !sample.hasFragment
    else { throw SMSHTTPSettingsError.url }
    guard sample.isSecure || sample.host.isLoopbackHost else { throw SMSHTTPSettingsError.insecureURL }
  }

  private func checkBody() throws {
    guard bodyKind == .json, let filled = filledBody(["to": "+1\"", "text": "\"\\\n", "sender": "s", "id": "i"]),
      (try? JSONSerialization.jsonObject(with: filled, options: .fragmentsAllowed)) == nil
    else { return }
    throw SMSHTTPSettingsError.bodyIsNotJSON
  }

  private static func kind(_ contentType: String?) -> BodyKind? {
    guard let contentType else { return .form }
    let type = contentType.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    return switch type {
    case "application/x-www-form-urlencoded": .form
    case "application/json": .json
    case "application/xml", "text/xml", "application/soap+xml": .xml
    case "text/plain": .text
    default: nil
    }
  }

  /// RFC 9110 §5.6.2.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}

package enum SMSHTTPSettingsError: Error, Sendable, Equatable {
  case method, url, contentType, bodyIsNotJSON
  /// Not HTTPS, and not this machine.
  case insecureURL
  case header(String)
  case unknownHole(String)
  case missingHole(String)
}

extension SMSHTTPSettingsError: CustomStringConvertible {
  /// Names the setting of an operator, never what is in it.
  package var description: String {
    switch self {
    case .method: "sms.method is GET, POST or PUT"
    case .url: "sms.url is no address whose placeholders are in its path or query"
    case .insecureURL: "sms.url begins with https:// unless the gateway is this machine"
    case .contentType: "sms.contentType is of a form, JSON, XML or plain text"
    case .bodyIsNotJSON: "sms.body is not JSON, as sms.contentType says"
    case .header(let name): "the header \(name) for the SMS gateway has characters that no header may have"
    case .unknownHole(let name):
      "sms.url or sms.body has the placeholder {\(name)}, which is not to, text, sender or id"
    case .missingHole(let name): "sms.url and sms.body have no placeholder {\(name)}"
    }
  }
}
