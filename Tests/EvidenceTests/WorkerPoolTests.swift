// SPDX-License-Identifier: Apache-2.0

import CrashTrials
import DocumentCore
import Foundation
import Specimens
import TestSupport
import Testing

@testable import Evidence

@Suite(
  "Evidence: pictures are read in child processes",
  .enabled(if: HelperProgram.url("PageReader") != nil, "no PageReader was built"))
struct WorkerPoolTests {
  private let reader = EvidenceReader(
    execution: .workers(command: [HelperProgram.url("PageReader")?.path ?? "PageReader"]))

  @Test("a worker answers what the same work in this process answers")
  func same() async throws {
    let picture = try Pictures.jpeg(Pictures.gradient(700, 660))
    let here = try await EvidenceReader().inspectDocument(picture)
    for _ in 0..<3 {
      let there = try await reader.inspectDocument(picture)
      #expect(there.image == here.image && there.quality == here.quality)
    }
    #expect(reader.workers?.counts.starts == 1)
    await #expect(throws: ImageProblem.tooSmall(sideMin: 600)) {
      try await reader.inspectDocument(Pictures.jpeg(Pictures.gradient(800, 599)))
    }
  }

  @Test("a worker that crashes costs one picture, and the next one gets another worker")
  func crash() async throws {
    let (program, folder) = (try #require(HelperProgram.url("PageReader")?.path), try TestFolder())
    let reader = EvidenceReader(
      execution: .workers(command: [program, "--crash-first", folder.file("crashed")]))
    let picture = try Pictures.jpeg(Pictures.gradient(700, 660))
    await #expect(throws: ImageProblem.notDecodable) { try await reader.inspectDocument(picture) }
    #expect(reader.workers?.counts.workers == 0)
    #expect(try await reader.inspectDocument(picture).image.width == 700)
    let counts = try #require(reader.workers?.counts)
    #expect(counts.starts == 2 && counts.losses == 1 && counts.pages == 2 && counts.workers == 1)
  }

  @Test("a program that cannot be started is a failure and no property of the picture")
  func noProgram() async throws {
    let broken = EvidenceReader(execution: .workers(command: ["/nowhere/worker"]))
    await #expect(throws: CVisionFailure.self) {
      try await broken.inspectDocument(Pictures.jpeg(Pictures.gradient(700, 660)))
    }
  }

  @Test("a worker reads the files of its engines, and none of the server's")
  func files() throws {
    let program = try #require(HelperProgram.url("PageReader"))
    let folder = try TestFolder()
    try Data("{}".utf8).write(to: URL(filePath: folder.file("keyring.json")))
    func reads(_ file: String, _ readable: String...) throws -> Bool {
      let process = ChildProcess()
      (process.executableURL, process.arguments) = (program, ["--read", file] + readable)
      try process.run()
      #expect(process.terminationReason == .exit)
      return process.terminationStatus == 0
    }
    #expect(try reads("/usr/share/zoneinfo/UTC"))
    #expect(try reads(folder.file("keyring.json"), folder.path))
    // Landlock is in Linux since 5.13; older kernels keep the other limits.
    let kernel = ProcessInfo.processInfo.operatingSystemVersion
    guard (kernel.majorVersion, kernel.minorVersion) >= (5, 13) else { return }
    #expect(try !reads(folder.file("keyring.json")))
    #expect(try !reads("/proc/\(ProcessInfo.processInfo.processIdentifier)/environ"))
  }

  @Test("a worker changes no file and no other process, starts none, and has its limit of memory, under any user")
  func harmless() throws {
    let program = try #require(HelperProgram.url("PageReader"))
    let folder = try TestFolder()
    let (file, output) = (folder.file("keyring.json"), Pipe())
    try Data("{}".utf8).write(to: URL(filePath: file))
    let process = ChildProcess()
    (process.executableURL, process.standardOutput) = (program, output)
    process.arguments = ["--harm", file, "\(ProcessInfo.processInfo.processIdentifier)"]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    let harmed = output.fileHandleForReading.readDataToEndOfFile()
    #expect(String(decoding: harmed, as: UTF8.self).isEmpty)
    #expect(try Data(contentsOf: URL(filePath: file)) == Data("{}".utf8))
  }

  @Test("a worker reads print on the one thread that it has, however many Tesseract asks for")
  func threads() async throws {
    // Its own reader: what another test reads meanwhile must not be counted.
    let reader = EvidenceReader(
      execution: .workers(command: [HelperProgram.url("PageReader")?.path ?? "PageReader"]))
    func threads() throws -> Int {
      let process = try #require(reader.workers?.idleProcesses.last)
      let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("Threads:") })
      return try #require(Int(line.dropFirst("Threads:".count).trimmingCharacters(in: .whitespaces)))
    }
    let today = try #require(CalendarDate(year: 2026, month: 1, day: 1))
    let page = try #require(try Specimen.draw(.drivingLicence, seed: 1, reference: today).images.first).picture.data
    _ = try await reader.inspectDocument(page)
    let before = try threads()
    let reading = try await reader.read(page, as: .drivingLicence, on: today).reading
    #expect(reading.visualZone?.values.isEmpty == false)
    #expect(try threads() == before)
  }

  @Test("a worker that waits holds few pages of the program's files (issue 24)")
  func code() async throws {
    let reader = EvidenceReader(
      execution: .workers(command: [HelperProgram.url("PageReader")?.path ?? "PageReader"]))
    _ = try await reader.inspectDocument(Pictures.jpeg(Pictures.gradient(700, 660)))
    let process = try #require(reader.workers?.idleProcesses.last)
    // The worker gives them back behind its answer. A process of this program that has only begun holds 33 MiB.
    try await waitUntil("the worker gave its code back") {
      let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssFile:") })
      let fields = line.split(whereSeparator: \.isWhitespace)
      let size = try #require(fields.dropFirst().first.flatMap { Int($0) })
      return size < 20 * 1024
    }
  }

  @Test("what a worker costs in time of the processor, beside the same work in this process")
  func cost() async throws {
    let picture = try Pictures.jpeg(Pictures.gradient(2400, 1600))
    let here = EvidenceReader()
    // Its own reader with one worker, whose time is counted. Workers yield, so on a busy machine the clock tells nothing.
    let reader = EvidenceReader(
      execution: .workers(command: [HelperProgram.url("PageReader")?.path ?? "PageReader"]))
    _ = try await (here.inspectDocument(picture), reader.inspectDocument(picture))
    let worker = try #require(reader.workers?.idleProcesses.last)
    func ticks(_ process: String) throws -> Int {
      let stat = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      let name = try #require(stat.lastIndex(of: ")"))
      // User and system time are the 14th and 15th field; the 3rd is the first behind the name (proc_pid_stat(5)).
      let fields = stat[name...].split(separator: " ")
      return try #require(Int(fields[12])) + #require(Int(fields[13]))
    }
    let start = try ticks("self")
    for _ in 0..<10 { _ = try await here.inspectDocument(picture) }
    let (middle, workerStart) = try (ticks("self"), ticks("\(worker)"))
    for _ in 0..<10 { _ = try await reader.inspectDocument(picture) }
    #expect(reader.workers?.idleProcesses == [worker])
    let (inside, outside) = try (middle - start, ticks("self") - middle + ticks("\(worker)") - workerStart)
    print("ten pages in a worker: \(outside) ticks, in this process: \(inside)")
    #expect(inside > 0 && outside > 0 && outside < inside * 4)
  }
}
