// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import TestSupport
import Testing

@Suite("Messaging: SMS over HTTP", .storeless)
struct SMSGatewayTests {
  static let message = Message(
    .sms, to: "+96550001234", body: "Ahmad & \"Co\" <5%>\n@bank.example #123456 رمز", locale: "en")

  /// One request as a provider receives it.
  struct Provider {
    let transcript = Transcript()
    let server: LoopbackServer

    init(status: Int = 200) throws {
      server = try LoopbackServer { [transcript] connection in
        var length = 0
        while let line = connection.line(), !line.isEmpty {
          transcript.note(line)
          if line.lowercased().hasPrefix("content-length:") { length = Int(line.dropFirst(16)) ?? 0 }
        }
        transcript.note("BODY " + String(decoding: connection.bytes(length), as: UTF8.self))
        let answer = #"{"message":"+96550001234 refused"}"#
        connection.say("HTTP/1.1 \(status) Whatever\r\nContent-Length: \(answer.utf8.count)\r\nConnection: close\r\n")
        connection.say(answer)
      }
    }

    var url: String { "http://127.0.0.1:\(server.port)" }
    var body: String { transcript.first("BODY ").map { String($0.dropFirst(5)) } ?? "" }
  }

  static func gateway(_ settings: SMSHTTPSettings) -> SMSGateway {
    .http(settings, world: MovableClock().world, threads: BlockingThreadPool("sms", width: 2))
  }

  @Test("a JSON body holds number, text and sender as they are, and headers go along")
  func json() async throws {
    let provider = try Provider()
    let settings = try SMSHTTPSettings(
      url: provider.url + "/v1/messages",
      headers: ["Content-Type": "application/json; charset=utf-8", "Authorization": "Bearer key"],
      body: #"{"to":["{to}"],"from":"{sender}","content":{"text":"{text}"},"reference":"{id}"}"#, sender: "Bank")
    try await Self.gateway(settings).send(Self.message)
    #expect(provider.transcript.first("POST") == "POST /v1/messages HTTP/1.1")
    #expect(provider.transcript.lines.contains("Authorization: Bearer key"))
    #expect(provider.transcript.lines.contains("Content-Type: application/json; charset=utf-8"))
    struct Body: Decodable {
      struct Content: Decodable { let text: String }
      let to: [String]
      let from: String
      let content: Content
      let reference: String
    }
    let body = try JSONDecoder().decode(Body.self, from: Data(provider.body.utf8))
    #expect(body.to == ["+96550001234"])
    #expect(body.from == "Bank")
    #expect(body.content.text == Self.message.body)
    #expect(UUID(uuidString: body.reference) != nil)
  }

  @Test("a message that is sent twice carries the same id twice, so that the provider can drop one")
  func repeated() async throws {
    let provider = try Provider()
    var message = Self.message
    message.id = "message-1"
    let settings = try SMSHTTPSettings(
      url: provider.url, headers: ["Content-Type": "application/json"],
      body: #"{"to":"{to}","text":"{text}","id":"{id}"}"#, sender: "Bank")
    try await Self.gateway(settings).send(message)
    #expect(provider.body.contains(#""id":"message-1""#))
  }

  @Test("a form and a URL are percent-encoded, XML is escaped, plain text is left alone")
  func escaping() async throws {
    let form = try Provider()
    try await Self.gateway(
      SMSHTTPSettings(url: form.url + "/send?from={sender}", body: "to={to}&text={text}", sender: "B & C")
    ).send(Self.message)
    #expect(form.transcript.first("POST") == "POST /send?from=B%20%26%20C HTTP/1.1")
    let values = URLComponents(string: "?" + form.body)?.queryItems ?? []
    #expect(values.map(\.value) == ["+96550001234", Self.message.body])

    let xml = try Provider()
    try await Self.gateway(
      SMSHTTPSettings(
        url: xml.url, headers: ["Content-Type": "text/xml"], body: "<m to='{to}'>{text}</m>", sender: "Bank")
    ).send(Self.message)
    #expect(xml.body.hasPrefix("<m to='+96550001234'>Ahmad &amp; &quot;Co&quot; &lt;5%&gt;&#10;@bank.example"))

    let text = try Provider()
    try await Self.gateway(
      SMSHTTPSettings(url: text.url + "/{to}", headers: ["Content-Type": "text/plain"], body: "{text}", sender: "Bank")
    ).send(Self.message)
    #expect(text.transcript.first("POST") == "POST /%2B96550001234 HTTP/1.1")
    #expect(text.body == Self.message.body)
  }

  @Test("a provider that takes everything in the URL is asked with GET and no body")
  func get() async throws {
    let provider = try Provider(status: 202)
    let settings = try SMSHTTPSettings(method: "GET", url: provider.url + "/?to={to}&text={text}", sender: "Bank")
    try await Self.gateway(settings).send(Self.message)
    #expect(provider.transcript.first("GET")?.hasPrefix("GET /?to=%2B96550001234&text=Ahmad%20%26") == true)
    #expect(provider.body.isEmpty)
  }

  @Test(
    "a status decides whether to try again: faults of the account or the gateway pass, those of a message do not",
    arguments: [
      (400, false), (409, false), (413, false), (422, false), (401, true), (402, true), (403, true), (404, true),
      (302, true), (408, true), (429, true), (500, true), (503, true),
    ])
  func statuses(status: Int, isRepeated: Bool) async throws {
    let provider = try Provider(status: status)
    let gateway = Self.gateway(try SMSHTTPSettings(url: provider.url, body: "to={to}&text={text}", sender: "Bank"))
    if isRepeated {
      await #expect(throws: MessageUndelivered(.byGateway(status: status))) { try await gateway.send(Self.message) }
    } else {
      await #expect(throws: MessageRefused(.byGateway(status: status))) { try await gateway.send(Self.message) }
    }
  }

  @Test("a redirect is not followed")
  func redirect() async throws {
    let other = try Provider()
    let target = other.url
    let first = try LoopbackServer { connection in
      while let line = connection.line(), !line.isEmpty {}
      connection.say("HTTP/1.1 307 Elsewhere\r\nLocation: \(target)/\r\nContent-Length: 0\r\nConnection: close\r\n")
    }
    let settings = try SMSHTTPSettings(
      method: "GET", url: "http://127.0.0.1:\(first.port)/?t={to}&x={text}", sender: "Bank")
    await #expect(throws: MessageUndelivered(.byGateway(status: 307))) {
      try await Self.gateway(settings).send(Self.message)
    }
    #expect(other.transcript.lines.isEmpty)
  }

  @Test(
    "a template that cannot make a proper request is refused when it is read",
    arguments: [
      ("http://sms.example/", "to={to}&text={text}", [:], SMSHTTPSettingsError.insecureURL),
      ("https://{sender}/", "to={to}&text={text}", [:], .url),
      ("ftp://sms.example/", "to={to}&text={text}", [:], .url),
      ("https://sms.example:{id}/", "to={to}&text={text}", [:], .url),
      ("https://a.example;127.0.0.1/", "to={to}&text={text}", [:], .url),
      ("https://sms.example:18446744073709560059/", "to={to}&text={text}", [:], .url),
      ("https://user:pass@sms.example/", "to={to}&text={text}", [:], .url),
      ("https://sms.example/", "to={to}", [:], .missingHole("text")),
      ("https://sms.example/", "to={to}&text={text}&k={key}", [:], .unknownHole("key")),
      ("https://sms.example/", "{to}{text}", ["Content-Type": "image/png"], .contentType),
      ("https://sms.example/", #"{"to":{to},"text":"{text}"}"#, ["content-type": "application/json"], .bodyIsNotJSON),
      ("https://sms.example/", "to={to}&text={text}", ["X-Key": "a\r\nHost: b"], .header("X-Key")),
    ] as [(String, String, [String: String], SMSHTTPSettingsError)])
  func refusedSettings(url: String, body: String, headers: [String: String], error: SMSHTTPSettingsError) {
    #expect(throws: error) { try SMSHTTPSettings(url: url, headers: headers, body: body, sender: "Bank") }
  }

  @Test("mail, or an invalid number, never reaches the provider")
  func malformed() async throws {
    let provider = try Provider()
    let gateway = Self.gateway(try SMSHTTPSettings(url: provider.url, body: "to={to}&text={text}", sender: "Bank"))
    for message in [
      Message(.email, to: "a@example.com", subject: "x", body: "x", locale: "en"),
      Message(.sms, to: "+9655000&to=1", body: "x", locale: "en"),
    ] {
      await #expect(throws: MessageRefused(.malformed)) { try await gateway.send(message) }
    }
    #expect(provider.transcript.lines.isEmpty)
  }
}
