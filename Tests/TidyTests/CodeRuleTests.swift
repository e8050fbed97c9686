// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Tidy: the rules of the code")
struct CodeRuleTests {
  @Test("nothing that the project bans is there", arguments: CodeRules.all)
  func bans(ban: Ban) {
    for finding in ban.findings(Repository.files) {
      Issue.record("\(finding): \(ban.what). Instead: \(ban.cure).")
    }
  }

  @Test("every exception is still needed", arguments: CodeRules.all)
  func exceptions(ban: Ban) {
    for (path, reason) in ban.exceptions {
      let file = Repository.files.filter { $0.path == path }
      #expect(
        !ban.findings(file, excepting: false).isEmpty,
        "\(path) needs no exception any more (\(reason)): remove it from \(ban)")
    }
  }

  @Test("every rule catches what it bans, and lets the cure pass")
  func samples() {
    #expect(Self.samples.count == CodeRules.all.count)
    for (ban, sample) in zip(CodeRules.all, Self.samples) {
      func findings(_ text: String) -> [String] {
        ban.findings([.init(path: sample.path, text: "let a = 1\n" + text, bytes: Data(text.utf8))])
      }
      #expect(findings(sample.bad) == ["\(sample.path):2"], "\(ban)")
      #expect(findings(sample.good).isEmpty, "\(ban)")
    }
  }

  /// In the order of the rules.
  private static let samples: [(path: String, bad: String, good: String)] = [
    ("Tests/ATests/A.swift", "\"SELECT" + " * FROM a\"", "\"SELECT id FROM a\""),
    ("Sources/Server/Kit/A.swift", "import GRDB", "import Storage // not GRDB"),
    ("Sources/Server/Kit/A.swift", "import AsyncHTTPClient", "import ObjectStorage"),
    ("Sources/Server/Kit/A.swift", "\"DELETE FROM a\"", "AStore(tx).delete() // DELETE FROM a"),
    ("Sources/Server/RubixFlow/A.swift", "import Hummingbird", "import HTTP"),
    ("Sources/Server/Kit/A.swift", "let now = Date()", "let date = readBirthDate()"),
    ("Sources/Server/Console/A.mustache", "{{{name}}}", "{{name}}"),
    ("Sources/SDK/A/A.swift", "class A: @unchecked Sendable {}", "let a = \"@unchecked Sendable\""),
    ("Sources/Server/Kit/A.swift", "struct CaseBook {}", "struct CaseRepository {}"),
    ("Sources/SDK/A/A.swift", "// TODO later", "// to do so, …"),
    ("docs/a.md", "It takes 5 ms, instead " + "of 9 ms.", "It takes 5 ms, instead of being refused."),
    ("Sources/SDK/A/A.swift", "let a = try! b()", "let a = try b()"),
    ("Sources/SDK/A/A.swift", "Task.detached {}", "group.addTask {}"),
    ("Sources/Server/Kit/A.swift", "  public let a = 1", "  package let a = 1"),
    ("docs/a.md", "see /" + "work/main", "see ./work/main and https://a.example/work/1"),
    (
      "Sources/Server/OneAssistFlow/A.swift", "try JSONDecoder().decode(A.self, from: body)",
      "try WireJSON.decode(A.self, from: body) // not JSONDecoder()"
    ),
    (
      "Sources/Server/Kit/A.swift", #"logger.info("sent to \(phone)")"#,
      #"logger.info("sent", metadata: ["topic": "\(topic)"])"#
    ),
    ("Tests/ATests/A.swift", "try await Task.sleep(for: .seconds(1))", "clock.advance(by: .seconds(1))"),
    (
      "Tests/ATests/A.swift", "while count < 2 { await Task.yield() }",
      "try await waitUntil(\"two come\") { count >= 2 }"
    ),
    ("Tests/ATests/A.swift", "try await app.test(.live) { _ in }", "try await app.serve { _ in } // no .test(.live)"),
    ("Tests/ATests/A.swift", "let process = Process()", "let process = ChildProcess() // not Process()"),
    ("Tests/ATests/A.swift", "\"https://api.one" + "assist.in/apigateway\"", "\"http://127.0.0.1:9/apigateway\""),
    ("Tests/ATests/A.swift", "let app = OAActivation()", "let app = OAActivation(ports: ports) { $0() }"),
    ("Sources/SDK/A/A.swift", "withAnimation { isOpen = true }", "isOpen = true // withAnimation"),
    ("Sources/Server/CVision/A.cpp", "int id = " + "fork();", "posix_spawn_file_actions_init(&actions);"),
    ("Sources/Server/Console/a.js", "main.innerHTML = text", "if (a.innerHTML !== b.innerHTML) main.append(...nodes)"),
    (
      "Sources/Server/Console/A.mustache", #"<input name="password" autocomplete="off">"#,
      #"<input name="password" type="password" autocomplete="new-password" minlength="{{min}}">"#
    ),
    (
      "Sources/Server/Console/A.swift", #"headers[HTTPField.Name("Access-Control-Allow-Origin")!] = "*""#,
      #"headers[.cacheControl] = "no-store""#
    ),
    (
      "Sources/Server/HTTP/A.swift", "@TaskLocal static var ask: (@Sendable () async throws -> Void)?",
      "@TaskLocal static var ask: BodyCheck?"
    ),
  ]

  @Test("files are short")
  func length() {
    for file in Repository.swift where !Self.longFiles.keys.contains(file.path) {
      let lines = file.text.count { $0.isNewline }
      let limit = 350
      #expect(lines <= limit, "\(file.path) has \(lines) lines: which second concept moved in?")
    }
  }

  /// Data, which is as long as it is.
  private static let longFiles: [String: String] = [:]

  @Test("this repository was found")
  func found() {
    #expect(Repository.sources.count > 300)
    #expect(Repository.text("Package.swift") != nil)
  }
}

@Suite("Tidy: how the rules read Swift")
struct SwiftTextTests {
  @Test("comments and the insides of strings are told from code")
  func scanner() {
    let text = SwiftText(
      ##"""
      let a = "x // y" // z
      /* one /* two */ three */ let b = #"q " r"#
      let c = "\"" + "d"
      """##)
    #expect(text.code == [#"let a = "x // y" "#, ##" let b = #"q " r"#"##, #"let c = "\"" + "d""#])
    #expect(text.bare == [#"let a = "" "#, ##" let b = #""#"##, #"let c = "" + """#])
  }

  @Test("strings of many lines keep their line numbers")
  func lines() {
    let text = SwiftText("let a = \"\"\"\n  TEXT\n  \"\"\"\nlet b = 1")
    #expect(text.bare == ["let a = \"\"\"", "", "\"\"\"", "let b = 1"])
    #expect(text.code[1] == "  TEXT")
  }
}
