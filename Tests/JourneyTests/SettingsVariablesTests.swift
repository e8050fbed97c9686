// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import TestSupport
import Testing

@testable import GatehouseApp

@Suite("Settings: the file of variables beside the settings (issue 30)", .storeless)
struct SettingsVariablesTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try write("{}", "gatehouse.json")
  }

  private var file: String { folder.file("gatehouse.json") }

  private func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: folder.url(name))
  }

  @Test("a command takes the variables of the services, and those of the environment before them")
  func taken() async throws {
    #expect(try await Settings.load(file: file, environment: [:]).databaseURL == nil)
    try write(
      """
      # The store of the services.
      GATEHOUSE_DATABASE_URL="postgres://gatehouse@db.bank.example/gatehouse"
      ; and a port
      GATEHOUSE_PORT=8081
      GATEHOUSE_TENANTZ='x'
      """, "gatehouse.env")
    let settings = try await Settings.load(file: file, environment: [:])
    #expect(settings.databaseURL == "postgres://gatehouse@db.bank.example/gatehouse" && settings.port == 8081)
    #expect(settings.unreadVariables == ["GATEHOUSE_TENANTZ"])
    #expect(try await Settings.load(file: file, environment: ["GATEHOUSE_PORT": "8082"]).port == 8082)
    // What systemd started has them already; its children are no units.
    let process = ProcessInfo.processInfo.processIdentifier
    #expect(try await Settings.load(file: file, environment: ["SYSTEMD_EXEC_PID": "\(process)"]).port == 8080)
    #expect(try await Settings.load(file: file, environment: ["SYSTEMD_EXEC_PID": "\(process + 1)"]).port == 8081)
    try write(#"{"data": "\#(folder.file("data"))"}"#, "gatehouse.json")
    try write("GATEHOUSE_LOG=error", "gatehouse.env")
    let told = await (try await Settings.load(file: file, environment: [:])).diagnose(file: file, environment: [:])
    #expect(told.text.contains("in the environment: GATEHOUSE_LOG"), "\(told.text)")
  }

  @Test(
    "a line that systemd would read in another way is refused by its number, and not told",
    arguments: ["hunter2", "A B=hunter2", "1A=hunter2", #"A=hunter2\"#, #"A="hunter2"#, #"A="x"hunter2"#, "A='hunter2"])
  func refused(line: String) async throws {
    try write("B=1\n\(line)\n", "gatehouse.env")
    let error = await #expect(throws: SettingsError.self) { try await Settings.load(file: file, environment: [:]) }
    let text = error?.description ?? ""
    #expect(text.hasPrefix("line 2 of ") && !text.contains("hunter2"), "\(text)")
  }

  @Test("what was written is read, in whichever quotes, and any text is read or refused")
  func generated() throws {
    var generator = SeededGenerator(seed: 30)
    let letters = Array("abZ09 =#;:/@?&%+-_.ü€")
    for _ in 1...300 {
      var (variables, lines) = ([String: String](), [String]())
      for index in 0..<Int.random(in: 0...6, using: &generator) {
        let count = Int.random(in: 0...12, using: &generator)
        let value = String((0..<count).compactMap { _ in letters.randomElement(using: &generator) })
        let quote = ["\"", "'"][index % 2]
        variables["N_\(index)"] = value
        lines.append("  N_\(index)=\(quote)\(value)\(quote)")
        lines.append(["", "# N_0=no", ";"][index % 3])
      }
      #expect(try SettingsVariables.parse(lines.joined(separator: "\n"), "f") == variables)
    }
    let sample = "A=one\nB_2=\"two words\"\n# three\nC='four'"
    for _ in 1...500 {
      let text = generator.changed(sample, alphabet: Array("\"'\\=#;\n\r\t AÄ\0"))
      do {
        for name in try SettingsVariables.parse(text, "f").keys {
          #expect(name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil, "\(text)")
        }
      } catch let error as SettingsError {
        #expect(error.description.contains("of f is not NAME=value"))
      }
    }
  }
}
