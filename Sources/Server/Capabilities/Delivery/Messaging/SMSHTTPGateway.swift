import CTransfer
import Foundation
import Kit

extension SMSGateway {
  /// Asks an SMS provider over HTTP. Repetitions of one message carry the same `{id}`: a provider that takes it for an
  /// idempotency key sends it once.
  package static func http(_ settings: SMSHTTPSettings, world: World, lanes: BlockingThreadPool) -> SMSGateway {
    SMSGateway { message in
      guard message.channel == .sms, let number = PhoneNumber(message.recipient) else {
        throw MessageRefused(.malformed)
      }
      let values = [
        "to": number.rawValue, "text": message.body, "sender": settings.sender, "id": message.id ?? world.uuid(),
      ]
      let peer = settings.peer(values)
      let body = settings.filledBody(values) ?? Data()
      let answer = try await lanes.transfer {
        CurlTransfer.request(settings.method, headers: settings.headerLines, body: body, to: peer)
      }
      try answer.requireHTTPSuccess(in: settings.successStatuses, passing: Self.passingStatuses)
    }
  }

  /// Statuses that say nothing about the message or its recipient, but about the gateway or our account there: a key that
  /// ran out, a bill, an address that moved, a proxy. Somebody will see to it.
  private static var passingStatuses: Set<Int> { Set(300...399).union([401, 402, 403, 404, 405, 407, 410]) }
}

extension SMSHTTPSettings {
  func peer(_ values: [String: String]) -> TransferPeer {
    var peer = TransferPeer(url: url.fill { Self.percentEncoded(values[$0] ?? "") })
    peer.caFile = caFile
    peer.connectTimeout = connectTimeout
    peer.timeout = timeout
    return peer
  }

  /// Nil when there is no body.
  func filledBody(_ values: [String: String]) -> Data? {
    guard method != "GET" else { return nil }
    return Data(body.fill { escaped(values[$0] ?? "") }.utf8)
  }

  /// `Expect:` with nothing after it keeps libcurl from asking for permission before it sends a body.
  var headerLines: [String] { headers.map { "\($0.name): \($0.value)" } + ["Expect:"] }

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

extension CurlTransfer.Answer {
  /// Request Timeout, Too Early, Too Many Requests and the 5xx of RFC 9110 may pass later; other statuses will not.
  /// - Parameter passing: further statuses that may pass.
  func requireHTTPSuccess(in statuses: ClosedRange<Int>, passing: Set<Int> = []) throws {
    guard outcome == CTRANSFER_OK else { throw failure }
    guard !statuses.contains(status) else { return }
    if status >= 500 || passing.union([408, 425, 429]).contains(status) {
      throw MessageUndelivered(.byGateway(status: status))
    }
    throw MessageRefused(.byGateway(status: status))
  }
}
