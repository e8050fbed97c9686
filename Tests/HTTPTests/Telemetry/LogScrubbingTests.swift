// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Kit
import Logging
import Synchronization
import TestSupport
import Testing

@Suite("Telemetry: no secret and no personal data reaches the log", .storeless)
struct LogScrubbingTests {
  @Test("a generated secret reaches no line, by whatever way it was logged", arguments: UInt64(1)...6)
  func property(seed: UInt64) {
    var randomness = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let secret = Secrets.any(using: &randomness)
      // A password that is a word is told from a word of ours by nothing but its key.
      let ways = LogWays.allCases.filter { $0 != .knownKey || secret.kind != "password" }
      let written = ways.map { way in (way, Self.written { way.log(secret, $0) }) }
      for (way, lines) in written where lines.contains(secret.text) {
        Issue.record("\(secret.kind) \(secret.text) by \(way): \(lines)")
      }
    }
  }

  @Test(
    "a text is scrubbed of what looks like a person or a secret",
    arguments: [
      ("mail to anna.eriksson@example.com failed", "mail to [email] failed"),
      ("call +965 5000 1234 now", "call +[number] now"), ("call (0965)-5000-1234", "call ([number]"),
      ("born 1974-08-12", "born [number]"), ("born 12.08.1974", "born [number]"),
      ("Authorization: Bearer abc.def", "Authorization: Bearer [secret]"),
      ("your code is 123456.", "your code is [code]"),
      ("otp=1234", "otp=[code]"), ("otp:123456", "[code]"), ("password=hunter2", "password=[secret]"),
      ("password: hunter2", "password: [secret]"), ("token:hunter2", "[secret]"),
      ("card 4111 1111 1111 1111", "card [number]"), ("rbxr_9fJ2kQ7xW3mZ8pL5", "[token]"),
    ])
  func scrubbed(text: String, left: String) {
    #expect(Self.written { $0.info("\(text)") }.contains(": \(left)\n"), "\(Self.written { $0.info("\(text)") })")
  }

  @Test(
    "the house's own words stay as they are",
    arguments: [
      "request", "unexpected error", "effect failed", "listening", "Server started and listening on 127.0.0.1:8080",
      "application 0198c2f4-6f0e-7c55-9a0a-0d0c5f1d7a03 moved", "12345678-1234-7123-8123-123456789012 is an id",
      "NIOTooManyBytesError", "status code 200 after 15 ms", "scheduled job failed: applicationsWithoutImagesForLong",
      "no gateway: messages are kept at /dev/outbox, which answers this machine only", "",
    ])
  func kept(text: String) {
    #expect(Self.written { $0.info("\(text)") }.hasSuffix(": \(text)\n"))
  }

  @Test("metadata passes by its key and shape alone")
  func vocabulary() {
    let id = "0198c2f4-6f0e-7c55-9a0a-0d0c5f1d7a03"
    let line = Self.written {
      $0.info(
        "request",
        metadata: [
          "route": "/api/v1/onboarding/auth/refresh-token", "status": "200", "correlation": "\(id)", "name": "Anna",
          "error": "DecodingError", "ms": "a day", "topic": "two words", "port": "12345678901",
        ])
    }
    #expect(
      line.hasSuffix(
        "request correlation=\(id) error=DecodingError ms=[withheld] name=[withheld] port=[withheld] "
          + "route=/api/v1/onboarding/auth/refresh-token status=200 topic=[withheld]\n"))
    for (end, written) in [("2026-12-01T06:00:00Z", "2026-12-01T06:00:00Z"), ("2026-12-01", "[withheld]")] {
      #expect(Self.written { $0.error("ended", metadata: ["end": "\(end)"]) }.hasSuffix("ended end=\(written)\n"))
    }
  }

  @Test("every key that the server's code logs is in the vocabulary, and its messages are constants")
  func keys() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/Server")
    let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
      .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    var keys: Set<String> = []
    for file in files {
      let text = try String(contentsOf: file, encoding: .utf8)
      let variable = text.firstMatch(of: /logger\.(trace|debug|info|notice|warning|error|critical)\(\s*"[^"]*\\\(/)
      #expect(variable == nil, "\(file.lastPathComponent) puts a value into a message: it is metadata")
      for call in text.matches(of: /(?s)(?:metadata:|Logger\.Metadata =)\s*\[(.*?)\](?:\)|\.merging|\n)/) {
        keys.formUnion(call.output.1.matches(of: /"([A-Za-z_.]+)":/).map { String($0.output.1) })
      }
    }
    #expect(keys.isSuperset(of: ["method", "route", "topic", "job"]))
    for key in keys {
      #expect(LogVocabulary.keys.contains(key), "give \(key) a shape in LogVocabulary, or do not log it")
    }
  }

  @Test("an error is told by its type")
  func errors() {
    struct Hunter2Said: Error, CustomStringConvertible { let description = "hunter2" }
    let line = Self.written { $0.error("failed", error: Hunter2Said()) }
    #expect(line.contains("error=Hunter2Said") && !line.contains("hunter2"))
  }

  /// What the log would hold, in both forms.
  private static func written(_ log: (Logger) -> Void) -> String {
    let lines = Mutex("")
    let clock = TestWorld().world
    withoutActuallyEscaping(log) { log in
      var logger = Logger(label: "test") { label in
        GatehouseLogHandler(label: label, world: clock) { line in
          lines.withLock { $0 += line.text(.json) + line.text(.text) }
        }
      }
      logger.logLevel = .trace
      log(logger)
    }
    return lines.withLock { $0 }
  }
}

/// The ways by which a value may come to be logged.
private enum LogWays: CaseIterable {
  case message, sentence, knownKey, unknownKey, ownMetadata, list, dictionary, label

  func log(_ secret: Secrets, _ logger: Logger) {
    let text = secret.text
    switch self {
    case .message: logger.trace("\(secret.introduced)")
    case .sentence: logger.error("could not send to \(secret.introduced), giving up after 3 tries")
    case .knownKey: logger.info("failed", metadata: ["error": "\(text)", "topic": "\(text)", "id": "\(text)"])
    case .unknownKey: logger.info("failed", metadata: ["phone": "\(text)"])
    case .ownMetadata:
      var logger = logger
      logger[metadataKey: "correlation"] = "\(text)"
      logger.info("failed")
    case .list: logger.debug("failed", metadata: ["error": ["\(text)", "b"]])
    case .dictionary: logger.debug("failed", metadata: ["error": ["a": "\(text)"]])
    case .label: logger.warning("failed", metadata: ["\(secret.introduced)": "b"])
    }
  }
}

/// Something that must not be logged.
private struct Secrets {
  let kind: String
  let text: String
  /// As it would stand in a sentence.
  let introduced: String

  static func any(using randomness: inout SeededGenerator) -> Secrets {
    func digits(_ count: Int) -> String {
      (0..<count).map { _ in String(Int.random(in: 0...9, using: &randomness)) }.joined()
    }
    func pick(_ words: [String]) -> String { words.randomElement(using: &randomness) ?? "" }
    switch Int.random(in: 0...7, using: &randomness) {
    case 0:
      let token = randomness.bytes(32).base64URL
      return Secrets(kind: "refresh token", text: token, introduced: pick(["rbxr_", "", "x-refresh-token: "]) + token)
    case 1:
      let payload = Data(#"{"sub":"\#(digits(12))","exp":\#(digits(10))}"#.utf8).base64URL
      let jwt = [Data(#"{"alg":"ES256"}"#.utf8).base64URL, payload, randomness.bytes(64).base64URL].joined(
        separator: ".")
      return Secrets(kind: "access token", text: jwt, introduced: pick(["Bearer ", "token ", ""]) + jwt)
    case 2:
      let mail = pick(["anna", "a.b", "x+y"]) + digits(2) + "@" + pick(["bank.example", "mail.example.com"])
      return Secrets(kind: "e-mail address", text: mail, introduced: mail)
    case 3:
      let gap = pick(["", " ", "-", "."])
      let phone = pick(["+", "00", ""]) + [digits(3), digits(4), digits(4)].joined(separator: gap)
      return Secrets(kind: "phone number", text: phone, introduced: phone)
    case 4:
      let date = ["19\(digits(2))", "0\(digits(1))", "1\(digits(1))"].joined(separator: pick(["-", "/", "."]))
      return Secrets(kind: "date of birth", text: date, introduced: date)
    case 5:
      let code = digits(6)
      return Secrets(
        kind: "passcode", text: code, introduced: pick(["code ", "OTP: ", "your code is ", "passcode=", "otp:"]) + code)
    case 6:
      let number = digits(Int.random(in: 9...19, using: &randomness))
      return Secrets(kind: "number", text: number, introduced: number)
    default:
      let word = pick(["hunter", "Utopia", "k"]) + digits(2)
      return Secrets(
        kind: "password", text: word, introduced: pick(["password=", "secret: ", "Authorization: Basic "]) + word)
    }
  }
}
