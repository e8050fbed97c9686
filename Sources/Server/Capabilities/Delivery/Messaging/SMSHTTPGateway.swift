// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

extension SMSGateway {
  /// Asks an SMS provider over HTTP. Repetitions of one message carry the same `{id}`: a provider that takes it for an
  /// idempotency key sends it once.
  package static func http(_ settings: SMSHTTPSettings, world: World, threads: BlockingThreadPool) -> SMSGateway {
    let http = PeerHTTP.curl(
      threads: threads, caFile: settings.caFile, connectTimeout: settings.connectTimeout, timeout: settings.timeout,
      answerMax: nil)
    return SMSGateway { message in
      guard message.channel == .sms, let number = PhoneNumber(message.recipient) else {
        throw MessageRefused(.malformed)
      }
      let values = [
        "to": number.rawValue, "text": message.body, "sender": settings.sender, "id": message.id ?? world.uuid(),
      ]
      let answer = try await http.deliver(
        .init(
          settings.method, settings.filledURL(values), headers: settings.headers,
          body: settings.filledBody(values) ?? Data()))
      try answer.requireSuccess(in: settings.successStatuses, passing: passingStatuses)
    }
  }

  /// Statuses that say nothing about the message or its recipient, but about the gateway or our account there: a key that
  /// ran out, a bill, an address that moved, a proxy. An operator corrects these.
  private static let passingStatuses = Set(300...399).union([401, 402, 403, 404, 405, 407, 410])
}

extension SMSHTTPSettings {
  func filledURL(_ values: [String: String]) -> String { url.fill { Self.percentEncoded(values[$0] ?? "") } }

  /// Nil when there is no body.
  func filledBody(_ values: [String: String]) -> Data? {
    guard method != "GET" else { return nil }
    return Data(body.fill { escaped(values[$0] ?? "") }.utf8)
  }

  private func escaped(_ value: String) -> String {
    switch bodyKind {
    case .form: Self.percentEncoded(value)
    case .json: Self.jsonText(value)
    case .xml: Self.xmlText(value)
    case .text: value
    }
  }

  /// RFC 3986 §2.3: everything but unreserved characters.
  private static func percentEncoded(_ value: String) -> String {
    value.addingPercentEncoding(
      withAllowedCharacters: CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")) ?? ""
  }

  /// The inside of a JSON string (RFC 8259 §7).
  private static func jsonText(_ value: String) -> String {
    var text = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20:
        text += "\\u00" + [UInt8(scalar.value)].hex
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// Character data or an attribute's value (XML 1.0 §2.4); control characters that XML cannot hold are dropped.
  private static func xmlText(_ value: String) -> String {
    var text = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&apos;"
      case "\n": text += "&#10;"
      case _ where scalar.value < 0x20: continue
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
