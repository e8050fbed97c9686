// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Programs that tests start", .storeless, .timeLimit(.minutes(2)))
struct ChildProcessTests {
  private static func shell(_ text: String, limit: Int = 60) -> ChildProcess {
    let process = ChildProcess(limit: limit)
    (process.executableURL, process.arguments) = (URL(filePath: "/bin/sh"), ["-c", text])
    return process
  }

  private static func output(of process: ChildProcess) throws -> String {
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return text
  }

  @Test("a program has its input, its output and its errors, and nothing else that is open here")
  func closed() throws {
    // Neither closes itself in another program.
    let (pipe, file) = (Pipe(), open("/dev/null", O_RDONLY))
    defer { close(file) }
    let process = ChildProcess()
    (process.executableURL, process.arguments) = (URL(filePath: "/bin/ls"), ["/proc/self/fd"])
    let seen = try withExtendedLifetime(pipe) { try Self.output(of: process) }
    // The fourth one is the folder that it lists.
    #expect(seen.split(separator: "\n") == ["0", "1", "2", "3"])
  }

  @Test("the end of a program is seen while one that it has started lives on")
  func survivor() throws {
    let process = Self.shell("sleep 1000 >/dev/null 2>&1 & echo $!")
    let survivor = try #require(pid_t(Self.output(of: process).trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(process.terminationReason == .exit && process.terminationStatus == 0 && !process.isRunning)
    let wasThere = kill(survivor, SIGKILL)
    #expect(wasThere == 0)
  }

  @Test("a program that does not end in its time is killed with what it has started, and the test that waits fails")
  func late() throws {
    let process = Self.shell("sleep 1000 & wait", limit: 1)
    try withKnownIssue {
      // Both have the pipe.
      let text = try Self.output(of: process)
      #expect(text.isEmpty)
    } matching: { issue in
      issue.comments.map(\.rawValue) == ["sh -c sleep 1000 & wait had not ended after 1 s and was killed"]
    }
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL)
  }

  @Test("what it leaves with is told, and the signal that ends it")
  func ends() throws {
    let left = Self.shell("exit 3")
    try left.run()
    #expect(left.terminationStatus == 3 && left.terminationReason == .exit)
    let unborn = Self.shell("exit 0")
    #expect(unborn.processIdentifier == 0 && !unborn.isRunning)
    let killed = Self.shell("kill -KILL $$")
    try killed.run()
    #expect(killed.terminationStatus == SIGKILL && killed.terminationReason == .uncaughtSignal)
  }

  @Test("it gets input, folder and variables, and what is written as errors may go with the output")
  func streams() throws {
    let process = Self.shell("cat; pwd; echo $WORD >&2")
    let (input, output) = (Pipe(), Pipe())
    process.currentDirectoryURL = URL(filePath: "/usr")
    process.environment = ["WORD": "abraxas", "PATH": "/usr/bin:/bin"]
    (process.standardInput, process.standardOutput, process.standardError) = (input, output, output)
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data("typed\n".utf8))
    try input.fileHandleForWriting.close()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(String(decoding: text, as: UTF8.self) == "typed\n/usr\nabraxas\n")
    let silent = Self.shell("echo unheard; cat")
    silent.standardInput = FileHandle.nullDevice
    silent.standardOutput = FileHandle.nullDevice
    try silent.run()
    #expect(silent.terminationStatus == 0)
  }

  @Test("a program that is not there is an error")
  func missing() throws {
    let process = ChildProcess()
    process.executableURL = URL(filePath: "/nowhere/program")
    #expect(throws: POSIXError(.ENOENT)) { try process.run() }
  }
}
