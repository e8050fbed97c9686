import Finaptic
import Foundation
import TestSupport
import Testing

@testable import gatehouse

/// The sample application, as a program of its own against a served house.
@Suite("Finaptic sample application", .serialized, .enabled(if: SampleProgram.file != nil, SampleProgram.missing))
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
      let run = try SampleProgram.run(key: key)
      #expect(run.status == Int32(status) && run.output.contains(text), "\(run.output)")
    }
  }
}

enum SampleProgram {
  static let missing: Comment = "FinapticSample is not beside the tests: swift build --product FinapticSample makes it"
  static let file = ServedProcess.program.map { $0.deletingLastPathComponent().appending(path: "FinapticSample") }
    .flatMap { FileManager.default.isExecutableFile(atPath: $0.path) ? $0 : nil }

  static func run(key: String, _ arguments: [String] = []) throws -> (status: Int32, output: String) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = try #require(file)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(["FINAPTIC_SDK_KEY": key]) { _, new in new }
    (process.standardOutput, process.standardError) = (pipe, pipe)
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}
