// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

@Suite(
  "Operations: tables of any length are screened in a stream", .storeless,
  .enabled(if: ServedProcess.program != nil, "\(ServedProcess.missing)"), .timeLimit(.minutes(10)))
struct ScreenStreamTests {
  /// What is screened, by short names, so that most of the time goes into reading and printing.
  enum Table: String, CaseIterable {
    case pairs, queries

    private var header: String { self == .pairs ? "name1,name2,schema" : "name,date_of_birth" }
    private var row: String { self == .pairs ? "Li Bo,Li Bo,Person" : "Li Bo,1971" }

    func text(rows: Int) -> Data { Data("\(header)\n\(String(repeating: "\(row)\n", count: rows))".utf8) }

    /// Of `gatehouse screen`.
    func arguments(_ folder: TestFolder) -> [String] {
      switch self {
      case .pairs: ["pairs", folder.file("table.csv")]
      case .queries: ["queries", "--list", folder.file("list.csv"), "--queries", folder.file("table.csv")]
      }
    }
  }

  private static func folder(_ table: Table, rows: Int) throws -> TestFolder {
    try TestFolder(["table.csv": table.text(rows: rows), "list.csv": Data("ref,name\n1,Ottilie Vanterpoole\n".utf8)])
  }

  private static func process(_ table: Table, _ folder: TestFolder, _ more: [String] = []) -> ChildProcess {
    let process = ChildProcess()
    process.executableURL = ServedProcess.program
    process.arguments = ["screen"] + table.arguments(folder) + more
    return process
  }

  /// The most memory that a process has had, in KiB; nil when it is gone.
  private static func peak(of process: ChildProcess) -> Int? { memory("VmHWM", of: process) }

  private static func memory(_ name: String, of process: ChildProcess) -> Int? {
    let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    return line.flatMap { Int($0.filter(\.isNumber)) }
  }

  /// What the program may take besides, from its first results to its last: a table that was held would take more.
  private static let growthMax = 32 << 10

  @Test(
    "a hundred thousand rows are answered as they are read, in no more memory at the end, and without a bar in a pipe",
    arguments: Table.allCases)
  func stream(table: Table) throws {
    let rows = 100_000
    let folder = try Self.folder(table, rows: rows)
    let process = Self.process(table, folder, ["--json"])
    let (results, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (results, errors)
    try process.run()
    var text = Data()
    var (first, last): (Int?, Int?) = (nil, nil)
    var rowsAtFirst = 0
    while true {
      let more = results.fileHandleForReading.availableData
      guard !more.isEmpty else { break }
      text += more
      last = Self.peak(of: process) ?? last
      if first == nil { (first, rowsAtFirst) = (last, more.count { $0 == UInt8(ascii: "\n") }) }
    }
    let told = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0 && told.isEmpty, "\(String(decoding: told, as: UTF8.self))")
    #expect(rowsAtFirst < rows / 10)
    let growth = try #require(last) - #require(first)
    #expect(growth < Self.growthMax, "\(growth) KiB")
    let object = try #require(try JSONSerialization.jsonObject(with: text) as? [String: [[String: Any]]])
    let found = try #require(object["results"])
    #expect(found.count == rows && found.last?["row"] as? Int == rows - 1)
  }

  @Test("a table comes through a pipe as well, on standard input or by a path", arguments: ["-", "/dev/stdin"])
  func pipe(path: String) throws {
    let folder = try Self.folder(.queries, rows: 0)
    let process = ChildProcess()
    process.executableURL = ServedProcess.program
    process.arguments = ["screen", "--list", folder.file("list.csv"), "--queries", path]
    let (table, results) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (table, results)
    try process.run()
    try table.fileHandleForWriting.write(contentsOf: Data("name\nOttilie Vanterpoole\n".utf8))
    try table.fileHandleForWriting.close()
    let text = String(decoding: try results.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(text.hasSuffix("\t1\tOttilie Vanterpoole\n"))
  }

  @Test("a file on standard input is mapped, as one that is named is")
  func redirected() throws {
    let (rows, note) = (3_000, String(repeating: "x", count: 2_000))
    let folder = try TestFolder([
      "table.csv": Data("name,note\n\(String(repeating: "Li Bo,\(note)\n", count: rows))".utf8),
      "list.csv": Data("ref,name\n1,Ottilie Vanterpoole\n".utf8),
    ])
    /// The results, and the memory without mapped files, in KiB, when the last of them were read.
    func screened(_ table: String, _ input: FileHandle) throws -> (text: Data, held: Int) {
      let process = ChildProcess()
      process.executableURL = ServedProcess.program
      process.arguments = ["screen", "--list", folder.file("list.csv"), "--queries", table, "--json"]
      let results = Pipe()
      (process.standardInput, process.standardOutput) = (input, results)
      try process.run()
      var (text, held): (Data, Int?) = (Data(), nil)
      while true {
        let more = results.fileHandleForReading.availableData
        guard !more.isEmpty else { break }
        text += more
        held = Self.memory("RssAnon", of: process) ?? held
      }
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      return (text, try #require(held))
    }
    let table = folder.file("table.csv")
    let named = try screened(table, .nullDevice)
    let redirected = try screened("-", try FileHandle(forReadingFrom: URL(fileURLWithPath: table)))
    #expect(redirected.text == named.text && named.text.count { $0 == UInt8(ascii: "\n") } >= rows)
    #expect(redirected.held - named.held < 3 << 10, "\(redirected.held) KiB, and \(named.held) KiB by its name")
  }

  @Test("a file on standard input is read that this user may not open")
  func handedOver() throws {
    let folder = try Self.folder(.queries, rows: 1)
    let input = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder.file("table.csv")))
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: folder.file("table.csv"))
    let (process, program) = (ChildProcess(), try #require(ServedProcess.program))
    let arguments = ["screen", "--list", folder.file("list.csv"), "--queries", "-", "--json"]
    if getuid() == 0 {
      // Root opens what it likes, unless it has none of root's capabilities.
      process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
      process.arguments = ["--bounding-set=-all", program.path] + arguments
    } else {
      (process.executableURL, process.arguments) = (program, arguments)
    }
    let results = Pipe()
    (process.standardInput, process.standardOutput) = (input, results)
    try process.run()
    let text = try results.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0 && !text.isEmpty)
  }

  @Test("at a terminal a bar tells how far it is", arguments: Table.allCases)
  func bar(table: Table) throws {
    var (terminal, line): (Int32, Int32) = (-1, -1)
    let made = openpty(&terminal, &line, nil, nil, nil)
    try #require(made == 0)
    defer { for descriptor in [terminal, line] { close(descriptor) } }
    let folder = try Self.folder(table, rows: 1_200)
    let process = Self.process(table, folder)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle(fileDescriptor: line, closeOnDealloc: false)
    try process.run()
    var shown = ""
    while !shown.hasSuffix("1200 rows\r\n") {
      var waiting = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
      let answers = poll(&waiting, 1, 60_000)
      try #require(answers == 1, "\(shown)")
      var bytes = [UInt8](repeating: 0, count: 512)
      let length = read(terminal, &bytes, bytes.count)
      try #require(length > 0)
      shown += String(decoding: bytes.prefix(length), as: UTF8.self)
    }
    process.waitUntilExit()
    #expect(shown.hasPrefix("\r[") && shown.contains("] 41 % 500 rows\r[") && shown.contains("] 100 % 1200 rows"))
  }
}
