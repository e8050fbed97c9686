// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DocumentCore
import Evidence
import Foundation
import GatehouseApp

#if canImport(Glibc)
  import Glibc
#endif

/// Our reader as `PictureReader` runs it, so that its memory and its processor time are its own. Only the bench starts
/// it.
struct PictureChild: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "picture-child", shouldDisplay: false)

  func run() throws {
    let reader = EvidenceReader()
    while let line = readLine() {
      let request = try JSONDecoder().decode(PictureRequest.self, from: Data(line.utf8))
      guard let day = CalendarDate(request.day) else { throw ValidationError("no day: \(request.day)") }
      let reply = try Self.reply(to: request, on: day, reader)
      try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(reply) + Data("\n".utf8))
    }
  }

  /// What finds and reads a zone. Keeping the picture, and straightening the page for its print, are stages of their own.
  private static let zoneStages = ["decode", "page", "mrz", "mrz-text"]

  private static func reply(
    to request: PictureRequest, on day: CalendarDate, _ reader: EvidenceReader
  ) throws -> PictureReply {
    guard let bytes = FileManager.default.contents(atPath: request.path) else {
      throw ValidationError("cannot read \(request.path)")
    }
    forgetPeak()
    let (clock, before) = (ContinuousClock.now, ProcessorTime.ofProcess)
    var reply = PictureReply(wall: 0, processor: 0, peak: 0)
    do {
      let document = try reader.readNow(bytes, as: request.expected, on: day)
      reply.reading = document.reading
      reply.lines = document.reading.mrz?.lines ?? []
      reply.certain = document.reading.mrz.map(ZoneFields.certain) ?? []
      reply.zoneWall = zoneStages.reduce(0) { $0 + (document.timings[$1] ?? 0) }
      reply.zoneProcessor = zoneStages.reduce(0) { $0 + (document.processor[$1] ?? 0) }
    } catch let problem as ImageProblem { reply.error = problem.code }
    reply.wall = (ContinuousClock.now - clock).inSeconds * 1000
    reply.processor = (ProcessorTime.ofProcess - before) * 1000
    reply.peak = peak()
    return reply
  }

  /// Begins the peak anew (proc(5), clear_refs); where that is not allowed, it is the process's whole peak.
  private static func forgetPeak() {
    try? FileHandle(forWritingAtPath: "/proc/self/clear_refs")?.write(contentsOf: Data("5".utf8))
  }

  private static func peak() -> Int {
    guard let status = FileManager.default.contents(atPath: "/proc/self/status") else { return 0 }
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
}
