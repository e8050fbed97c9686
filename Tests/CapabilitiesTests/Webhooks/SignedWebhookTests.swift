// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import TestSupport
import Testing

@testable import Delivery

@Suite("Webhooks: another company is asked by signed requests", .storeless)
struct SignedWebhookTests {
  private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

  private struct Question: Encodable, Sendable { let link = "a/b" }

  private static func hook(_ base: String, secret: String = secret) throws -> SignedWebhook {
    try SignedWebhook(
      base: base, secret: secret, threads: BlockingThreadPool("hook", width: 2), world: MovableClock().world)
  }

  @Test("the signature is the one that Standard Webhooks publishes for its example")
  func vector() throws {
    let fields = try #require(WebhookSecret(Self.secret)).fields(
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek", seconds: 1_614_265_330, body: Data(#"{"test": 2432232314}"#.utf8))
    #expect(fields["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  }

  @Test("a request carries id, time and signature over the bytes that are sent, and its answer comes back")
  func posted() async throws {
    let provider = try SMSGatewayTests.Provider()
    let hook = try Self.hook(provider.url + "/hooks/")
    let answer = try await hook.post("/user/lookup", Question(), id: "id-1")
    #expect(answer == Data(#"{"message":"+96550001234 refused"}"#.utf8))
    #expect(provider.transcript.first("POST") == "POST /hooks/user/lookup HTTP/1.1")
    #expect(provider.body == #"{"link":"a/b"}"#)
    let seconds = MovableClock().world.now().seconds
    let fields = try #require(WebhookSecret(Self.secret)).fields(
      id: "id-1", seconds: seconds, body: Data(provider.body.utf8))
    #expect(fields["webhook-id"] == "id-1" && fields["webhook-timestamp"] == "\(seconds)")
    for (name, value) in fields { #expect(provider.transcript.lines.contains("\(name): \(value)")) }
  }

  @Test(
    "a refusal of theirs is no answer", arguments: [(400, false), (404, false), (429, true), (500, true), (302, false)])
  func refused(status: Int, mayPass: Bool) async throws {
    let provider = try SMSGatewayTests.Provider(status: status)
    let hook = try Self.hook(provider.url)
    do {
      _ = try await hook.post("/x", Question())
      Issue.record("answered")
    } catch is MessageUndelivered {
      #expect(mayPass)
    } catch is MessageRefused {
      #expect(!mayPass)
    }
  }

  @Test("an answer that does not end is cut off")
  func endless() async throws {
    let server = try LoopbackServer { connection in
      while let line = connection.line(), !line.isEmpty {}
      connection.say("HTTP/1.1 200 OK\r\nConnection: close\r\n")
      for _ in 0..<40 { connection.say(String(repeating: "x", count: 16 * 1024)) }
    }
    await #expect(throws: (any Error).self) {
      _ = try await Self.hook("http://127.0.0.1:\(server.port)").post("/x", Question())
    }
  }

  @Test("requests leave over HTTPS, or to this machine, with a whole secret")
  func settings() {
    #expect(throws: SignedWebhookError.insecureURL) { try Self.hook("http://bank.example") }
    for base in [
      "ftp://bank.example", "https://user:word@bank.example", "https://bank.example/?a=1", "https://[bank.example]",
      "https://0x7f.1", "https://bank.example:18446744073709560059",
    ] {
      #expect(throws: SignedWebhookError.url, "\(base)") { try Self.hook(base) }
    }
    for secret in ["", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_", "whsec_!!", "whsec_c2hvcnQ="] {
      #expect(throws: SignedWebhookError.secret) { try Self.hook("https://bank.example", secret: secret) }
    }
  }
}
