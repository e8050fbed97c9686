// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import TestSupport
import Testing

@Suite("Messaging: mail over SMTP", .storeless)
struct SMTPGatewayTests {
  static let message = Message(
    .email, to: "erika@example.com", subject: "Your code", body: "Code:\n.123456\n", locale: "en")

  static func settings(
    port: Int, security: SMTPSettings.Security = .off, credentials: SMTPSettings.Credentials? = nil
  ) throws -> SMTPSettings {
    let address = try #require(EmailAddress("no-reply@bank.example"))
    var settings = try SMTPSettings(
      host: "127.0.0.1", port: port, security: security, credentials: credentials,
      sender: MailSender(name: "Bank of Utopia", address: address))
    settings.timeout = .seconds(20)
    return settings
  }

  static func gateway(_ settings: SMTPSettings) -> MailGateway {
    .smtp(settings, world: MovableClock().world, threads: BlockingThreadPool("mail", width: 2))
  }

  static let login = Data("\u{0}robot\u{0}s3cret".utf8).base64EncodedString()
  static let credentials = SMTPSettings.Credentials(user: "robot", password: "s3cret")

  @Test("a message arrives with its envelope, headers and text, and a leading dot survives")
  func plain() async throws {
    let server = try SMTPTestServer()
    try await Self.gateway(Self.settings(port: server.port)).send(Self.message)
    #expect(server.transcript.first("EHLO") == "EHLO bank.example")
    #expect(server.transcript.first("MAIL") == "MAIL FROM:<no-reply@bank.example>")
    #expect(server.transcript.first("RCPT") == "RCPT TO:<erika@example.com>")
    let (head, body) = try Self.split(server.data)
    #expect(head.contains("Date: Sat, 21 Nov 2026 06:00:00 +0000"))
    #expect(head.contains("From: \"Bank of Utopia\" <no-reply@bank.example>"))
    #expect(head.contains("To: <erika@example.com>"))
    #expect(head.contains("Subject: Your code"))
    #expect(head.contains("Content-Transfer-Encoding: 7bit"))
    #expect(head.contains { $0.hasPrefix("Message-ID: <") && $0.hasSuffix("@bank.example>") })
    #expect(body == "Code:\n..123456\n")
  }

  @Test("user name and password are given, and without them nothing is sent")
  func authentication() async throws {
    let server = try SMTPTestServer(.init(plainLogin: Self.login))
    try await Self.gateway(Self.settings(port: server.port, credentials: Self.credentials)).send(Self.message)
    #expect(server.transcript.lines.contains("(login right)"))
    #expect(!server.data.isEmpty)
    await #expect(throws: MessageRefused(.byGateway(status: 530))) {
      try await Self.gateway(Self.settings(port: server.port)).send(Self.message)
    }
    await #expect(throws: MessageUndelivered(.loginRefused)) {
      let wrong = SMTPSettings.Credentials(user: "robot", password: "guess")
      try await Self.gateway(Self.settings(port: server.port, credentials: wrong)).send(Self.message)
    }
  }

  @Test("a password never leaves for another machine without assured TLS", arguments: SMTPSettings.Security.allCases)
  func credentialsNeedTLS(security: SMTPSettings.Security) throws {
    let sender = MailSender(name: "Bank", address: try #require(EmailAddress("no-reply@bank.example")))
    let make = {
      try SMTPSettings(host: "mail.example", security: security, credentials: Self.credentials, sender: sender)
    }
    switch security {
    case .implicit: #expect(try make().port == 465)
    case .startTLS: #expect(try make().port == 587)
    case .opportunistic, .off: #expect(throws: SMTPSettingsError.credentialsWithoutTLS) { try make() }
    }
  }

  @Test(
    "a reply of 4yz asks for another try, one of 5yz ends it",
    arguments: [
      ("250 ok", "451 later", 451), ("450 busy", "250 ok", 450), ("550 nobody", "250 ok", 550),
      ("250 ok", "554 spam", 554),
    ])
  func refusals(recipient: String, data: String, status: Int) async throws {
    let server = try SMTPTestServer(.init(recipientReply: recipient, dataReply: data))
    let gateway = try Self.gateway(Self.settings(port: server.port))
    if status < 500 {
      await #expect(throws: MessageUndelivered(.byGateway(status: status))) { try await gateway.send(Self.message) }
    } else {
      await #expect(throws: MessageRefused(.byGateway(status: status))) { try await gateway.send(Self.message) }
    }
  }

  @Test("a silent server times out, and a closed port is unreachable")
  func silence() async throws {
    let server = try SMTPTestServer(.init(greeting: nil))
    var settings = try Self.settings(port: server.port)
    settings.timeout = .milliseconds(200)
    let patient = Self.gateway(settings)
    await #expect(throws: MessageUndelivered(.timedOut)) { try await patient.send(Self.message) }
    let freePort = try LoopbackServer { _ in }.port
    let lost = try Self.gateway(Self.settings(port: freePort))
    await #expect(throws: MessageUndelivered(.unreachable)) { try await lost.send(Self.message) }
  }

  @Test("required STARTTLS that is not offered sends nothing; off and opportunistic go on in clear")
  func downgrade() async throws {
    let server = try SMTPTestServer()
    await #expect(throws: MessageUndelivered(.tls)) {
      try await Self.gateway(Self.settings(port: server.port, security: .startTLS)).send(Self.message)
    }
    #expect(server.transcript.first("MAIL") == nil)
    try await Self.gateway(Self.settings(port: server.port, security: .opportunistic)).send(Self.message)
    #expect(server.transcript.first("MAIL") != nil)
  }

  // Needs the openssl command, which makes the certificate and ends the TLS.
  @Test("with STARTTLS login and message go inside TLS", .enabled(if: OpenSSLServer.path != nil))
  func startTLS() async throws {
    let tls = try OpenSSLServer()
    defer { tls.stop() }
    let server = try SMTPTestServer(.init(plainLogin: Self.login, tls: tls))
    var settings = try Self.settings(port: server.port, security: .startTLS, credentials: Self.credentials)
    settings.caFile = tls.certificate
    try await Self.gateway(settings).send(Self.message)
    let lines = server.transcript.lines
    let inside = try #require(lines.firstIndex(of: "(inside TLS)"))
    let login = try #require(lines.firstIndex { $0.hasPrefix("AUTH") })
    let mail = try #require(lines.firstIndex { $0.hasPrefix("MAIL") })
    #expect(inside < login && login < mail)
    #expect(server.data.contains("Subject: Your code"))
  }

  // Needs the openssl command, which makes the certificate and ends the TLS.
  @Test("with implicit TLS everything goes inside it", .enabled(if: OpenSSLServer.path != nil))
  func implicitTLS() async throws {
    let tls = try OpenSSLServer()
    defer { tls.stop() }
    let transcript = Transcript()
    Thread.detachNewThread { tls.serveImplicitly(SMTPTestServer.Behaviour(plainLogin: Self.login), transcript) }
    var settings = try Self.settings(port: tls.port, security: .implicit, credentials: Self.credentials)
    settings.caFile = tls.certificate
    try await Self.gateway(settings).send(Self.message)
    #expect(transcript.lines.contains("(login right)"))
    let data = try #require(transcript.first("DATA\n"))
    #expect(data.contains("Subject: Your code"))
  }

  // Needs the openssl command, which makes the certificate and ends the TLS.
  @Test("with an untrusted certificate nothing is sent", .enabled(if: OpenSSLServer.path != nil))
  func untrusted() async throws {
    let tls = try OpenSSLServer()
    defer { tls.stop() }
    let server = try SMTPTestServer(.init(plainLogin: Self.login, tls: tls))
    await #expect(throws: MessageUndelivered(.tls)) {
      try await Self.gateway(
        Self.settings(port: server.port, security: .startTLS, credentials: Self.credentials)
      ).send(Self.message)
    }
    #expect(server.transcript.first("AUTH") == nil)
  }

  @Test("an SMS or an invalid address never reaches the server")
  func malformed() async throws {
    let server = try SMTPTestServer()
    let gateway = try Self.gateway(Self.settings(port: server.port))
    for message in [
      Message(.sms, to: "+96550001234", body: "x", locale: "en"),
      Message(.email, to: "a@example.com>\r\nRCPT TO:<b@example.com", subject: "x", body: "x", locale: "en"),
      Message(.email, to: "a@example.com", subject: "x\r\nBcc: b@example.com", body: "x", locale: "en"),
    ] {
      await #expect(throws: MessageRefused(.malformed)) { try await gateway.send(message) }
    }
    #expect(server.transcript.lines.isEmpty)
  }

  static func split(_ data: String) throws -> (head: [String], body: String) {
    let cut = try #require(data.range(of: "\n\n"))
    return (data[..<cut.lowerBound].components(separatedBy: "\n"), String(data[cut.upperBound...]))
  }
}
