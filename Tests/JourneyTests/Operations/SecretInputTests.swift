// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Kit
import TestSupport
import Testing

@testable import gatehouse

@Suite("Operations: what a terminal shows", .storeless, .timeLimit(.minutes(1)))
struct SecretInputTests {
  @Test(
    "a password is not shown while it is typed, and the terminal shows what is typed again, also after an interruption",
    .enabled(if: ServedProcess.program != nil, "\(ServedProcess.missing)"), arguments: [nil, SIGINT, SIGTERM])
  func hidden(signal: Int32?) throws {
    var (terminal, line): (Int32, Int32) = (-1, -1)
    let made = openpty(&terminal, &line, nil, nil, nil)
    try #require(made == 0)
    defer { for descriptor in [terminal, line] { close(descriptor) } }
    func isShown() -> Bool {
      var modes = termios()
      return tcgetattr(line, &modes) == 0 && modes.c_lflag & tcflag_t(ECHO) != 0
    }
    #expect(isShown())

    let (folder, process, errors) = (try TestFolder(), ChildProcess(), Pipe())
    process.executableURL = ServedProcess.program
    process.arguments = ["staff", "password", "aya@bank.example", "--data", folder.file("data"), "--log", "error"]
    process.standardInput = FileHandle(fileDescriptor: line, closeOnDealloc: false)
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, errors)
    try process.run()
    var told = Data()
    func asked(_ prompt: String) throws {
      while !String(decoding: told, as: UTF8.self).hasSuffix(prompt) {
        let more = errors.fileHandleForReading.availableData
        try #require(!more.isEmpty, "\(String(decoding: told, as: UTF8.self))")
        told += more
      }
      #expect(!isShown())
    }
    try asked("Password: ")
    if let signal {
      kill(process.processIdentifier, signal)
    } else {
      let keyboard = FileHandle(fileDescriptor: terminal, closeOnDealloc: false)
      try keyboard.write(contentsOf: Data("westward 9\n".utf8))
      try asked("The same again: ")
      try keyboard.write(contentsOf: Data("westward 8\n".utf8))
    }
    let rest = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(isShown())
    guard signal == nil else {
      #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == signal)
      return
    }
    #expect(String(decoding: rest, as: UTF8.self).contains("the two passwords differ"))
    var screen = ""
    while screen.utf8.count < 4 {
      // Nothing more may come.
      var waiting = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
      let answers = poll(&waiting, 1, 10_000)
      try #require(answers == 1, "\(screen)")
      var bytes = [UInt8](repeating: 0, count: 100)
      let length = read(terminal, &bytes, bytes.count)
      try #require(length > 0)
      screen += String(decoding: bytes.prefix(length), as: UTF8.self)
    }
    #expect(screen == "\r\n\r\n")
  }

  @Test("long work shows one line at a terminal while it lasts; in a pipe, or beside JSON, nothing")
  func longWork() async throws {
    var (terminal, line): (Int32, Int32) = (-1, -1)
    let made = openpty(&terminal, &line, nil, nil, nil)
    try #require(made == 0)
    defer { for descriptor in [terminal, line] { close(descriptor) } }
    let (screen, pipe) = (FileHandle(fileDescriptor: line, closeOnDealloc: false), Pipe())
    let (lines, json) = (try OutputOptions.parse([]), try OutputOptions.parse(["--json"]))
    #expect(try await TerminalProgress.show("Unseen", json, on: screen) { 7 } == 7)
    #expect(try await TerminalProgress.show("Unseen", lines, on: pipe.fileHandleForWriting) { 8 } == 8)
    try pipe.fileHandleForWriting.close()
    #expect(try (pipe.fileHandleForReading.readToEnd() ?? Data()).isEmpty)
    await #expect(throws: CancellationError.self) {
      try await TerminalProgress.show("Copying", lines, on: screen) { throw CancellationError() }
    }
    var shown = ""
    while !shown.hasSuffix("\r\u{1B}[K") {
      var waiting = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
      let answers = poll(&waiting, 1, 10_000)
      try #require(answers == 1, "\(shown)")
      var bytes = [UInt8](repeating: 0, count: 100)
      let length = read(terminal, &bytes, bytes.count)
      try #require(length > 0)
      shown += String(decoding: bytes.prefix(length), as: UTF8.self)
    }
    #expect(shown.hasPrefix("\rCopying: 0 s\r"))
  }

  @Test(
    "the line of long work tells the share of the part that is being done, where there is telling",
    arguments: [
      (nil, 61, "Copying: 1 min 1 s"),
      (WorkProgress.Part(name: "chains", done: 3, all: 8), 5, "Copying: 5 s, chains 37 %"),
      (WorkProgress.Part(name: "objects", done: 12, all: nil), 5, "Copying: 5 s, objects 12"),
      (WorkProgress.Part(name: "database", done: 0, all: nil), 5, "Copying: 5 s, database"),
      // A share that does not fit is left out whole: one that is cut would be another one.
      (WorkProgress.Part(name: String(repeating: "n", count: 60), done: 1, all: 2), 5, "Copying: 5 s"),
    ] as [(WorkProgress.Part?, Int, String)])
  func share(part: WorkProgress.Part?, seconds: Int, line: String) {
    #expect(TerminalProgress.line("Copying", part, after: .seconds(seconds)) == line)
  }
}
