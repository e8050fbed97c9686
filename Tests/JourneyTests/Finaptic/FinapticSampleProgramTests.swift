// SPDX-License-Identifier: Apache-2.0

import Finaptic
import Foundation
import TestSupport
import Testing

@testable import GatehouseApp

/// The sample application, as a program of its own against a served application.
@Suite(
  "Finaptic sample application", .onOneEngine, .serialized,
  .enabled(if: SampleProgram.file != nil, SampleProgram.missing))
struct FinapticSampleProgramTests {
  @Test("a wrong key gets a clear message and no success")
  func wrongKey() throws {
    let unknown = Data(
      #"{"v":1,"env":"sandbox","tenantId":7,"baseUrl":"http://127.0.0.1:1","clientKey":"nobody"}"#.utf8
    ).base64EncodedString()
    for (key, status, text) in [
      ("", 64, "There is no SDK key."), ("!!", 1, "Check that the SDK key is the one that the bank gave you"),
      (unknown, 1, "Check the network, and that the server of the SDK key is running."),
    ] {
      let run = try SampleProgram.run(SampleProgram.file, [], ["FINAPTIC_SDK_KEY": key])
      #expect(run.status == Int32(status) && run.output.contains(text), "\(run.output)")
    }
  }

  @Test("the whole flow against a served house ends with success, and a name that fails does not")
  func whole() throws {
    let port = try ListeningPort().number
    let folder = try TestFolder()
    var variables = ["GATEHOUSE_FINAPTIC_PUBLIC_URL": "http://127.0.0.1:\(port)"]
    if !FinapticProfile.files.isEmpty {
      variables["GATEHOUSE_FINAPTIC_SANDBOX_PROFILES"] = FinapticProfile.files.map(\.path).joined(separator: ",")
    }
    func operate(_ arguments: [String]) throws -> String {
      let run = try SampleProgram.run(
        ServedProcess.program, ["finaptic"] + arguments + ["--data", folder.file("data")], variables)
      try #require(run.status == 0, "\(run.output)")
      return run.output
    }
    _ = try operate(["tenant", "add", "7", "--name", "Journey", "--kind", "sandbox"])
    let issued = try operate(["key", "issue", "7", "--name", "app"])
    let key = String(try #require(issued.firstMatch(of: #/SDK key: (\S+)/#)).1)
    let served = try ServedProcess(graceSeconds: 0, data: folder.file("data"), variables: variables, port: port)
    defer { served.kill() }
    _ = try served.port("listening")
    served.drain()

    let run = try SampleProgram.run(
      SampleProgram.file, ["--email", "screens@example.ca"], ["FINAPTIC_SDK_KEY": key])
    #expect(run.status == 0 && run.output.contains("The application stands at: Application Processed"), "\(run.output)")
    try look(with: key, in: folder)
    guard FinapticProfile.all.contains(where: { $0.id == "kyc-dob-match" }) else { return }
    let refused = try SampleProgram.run(
      SampleProgram.file, ["--first-name", "John", "--middle-name", "dob-match", "--last-name", "Doe"],
      ["FINAPTIC_SDK_KEY": key])
    #expect(refused.status == 1 && refused.output.contains("FAILURE_CODE_ID_DOB_MATCH"), "\(refused.output)")
  }
}

extension FinapticSampleProgramTests {
  /// The new customer looks at account, card and conversations by the screens of the other sample.
  private func look(with key: String, in folder: TestFolder) throws {
    let program = ServedProcess.program?.deletingLastPathComponent().appending(path: "OnboardingSample")
    guard let program, FileManager.default.isExecutableFile(atPath: program.path) else { return }
    let lines = [
      "type email screens@example.ca", "type password Quartz7Lantern!@#$", "press send", "wait accounts.list",
      "press cards", "wait cards.list", "press chat", "wait chat.empty", "press new", "type draft My card",
      "press send",
      "wait conversation.connected", "type draft Where is it?", "press send", "wait conversation.connected.heard",
      "press back", "wait chat.list", "press sign-out", "wait sign-in",
    ]
    let seen = try SampleProgram.run(
      program, ["--sdk-key", key, "--data", folder.file("screens")], [:], input: lines.joined(separator: "\n") + "\n")
    #expect(seen.status == 0 && !seen.output.contains("\n? "), "\(seen.output)")
    for shown in ["0.00 CAD", "[Active]", "You: Where is it?", "[waiting for an answer]"] {
      #expect(seen.output.contains(shown), "\(shown) in \(seen.output)")
    }
  }
}

enum SampleProgram {
  static let missing: Comment = "FinapticSample is not beside the tests: swift build --product FinapticSample makes it"
  static let file = ServedProcess.program.map { $0.deletingLastPathComponent().appending(path: "FinapticSample") }
    .flatMap { FileManager.default.isExecutableFile(atPath: $0.path) ? $0 : nil }

  static func run(
    _ program: URL?, _ arguments: [String], _ variables: [String: String], input: String = ""
  ) throws -> (status: Int32, output: String) {
    let process = ChildProcess()
    let pipe = Pipe()
    process.executableURL = try #require(program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { _, new in new }
    (process.standardOutput, process.standardError) = (pipe, pipe)
    let lines = Pipe()
    process.standardInput = lines
    try process.run()
    try lines.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try lines.fileHandleForWriting.close()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}
