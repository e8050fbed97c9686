// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DocumentCore
import Foundation
import GatehouseApp
import Kit
import Specimens

extension BenchCommand {
  struct Evidence: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "evidence",
      abstract: "How often documents are read right, how fast and in how much memory, beside PassportEye.",
      discussion: """
        Documents of Utopia are drawn and worn out by their seeds, and read by a program of its own; nothing is kept. \
        Wears: unworn is a scan; moderate a careful customer's photograph; strong a careless one's, twice as worn; \
        turned is moderate and lies any way round. `make bench-evidence` brings PassportEye along. Build with -c \
        release.
        """)

    @Option(help: "Pictures over all wears, in equal parts.")
    var count = 1000

    @Option(help: "The seed of the first picture; the next ones follow.")
    var seed: UInt64 = 1

    @Option(help: "unworn, moderate, strong and turned, separated by commas.")
    var wears = "moderate,strong"

    @Option(help: "One wear more, called own: degradations as of `specimen`, as in blur:2,glare.")
    var degrade: String?

    @Option(
      help: "What pictures show, in turns: passport, id-front, id-back, licence-front, licence-back, by commas.")
    var kinds: String?

    @Option(help: "Pairs of front and back of honest holders; 0 for none.")
    var pairs = 500

    @Option(help: "A Python that has PassportEye; it runs scripts/passporteye-reader.")
    var peerPython: String?

    @Option(help: "The script that the Python runs.")
    var peerScript = "scripts/passporteye-reader"

    @Option(help: "Why there is no such Python, for the report.")
    var peerMissing: String?

    @Option(help: "The day of reading, YYYY-MM-DD.")
    var on = "2026-01-01"

    @Option(help: "A file that the report is written to as JSON, beside the table.")
    var out: String?

    @Flag(help: "Print one JSON document instead of a table.")
    var json = false

    func validate() throws {
      guard (1...100_000).contains(count), (0...100_000).contains(pairs) else {
        throw ValidationError("--count is 1 to 100000, --pairs 0 to 100000")
      }
      _ = try (chosenWears(), subjects(), day())
    }

    func run() async throws {
      // A reader that ended is counted as lost, and does not end the bench.
      signal(SIGPIPE, SIG_IGN)
      let folder = BenchOutput.folder()
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let peer = try peerPython.map { try PictureReader($0, [peerScript], environment: ["OMP_THREAD_LIMIT": "1"]) }
      let bench = try EvidenceBench(
        seed: seed, day: day(), folder: folder, isRelease: PowerAuth.isRelease,
        ours: { try PictureReader("/proc/self/exe", ["picture-child"]) }, peer: peer,
        say: BenchOutput.say)
      defer { bench.stop() }
      try bench.measure(count, subjects(), chosenWears())
      if pairs > 0, let moderate = EvidenceWear("moderate") { try bench.measurePairs(pairs, wear: moderate) }
      var report = bench.report
      if peer == nil { report.withoutPeer = peerMissing ?? "no --peer-python" }
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      let encoded = try encoder.encode(report)
      if let out { try encoded.write(to: URL(fileURLWithPath: out)) }
      print(json ? String(decoding: encoded, as: UTF8.self) : report.table)
    }

    private func chosenWears() throws -> [EvidenceWear] {
      var list = try wears.split(separator: ",").map { name in
        guard let wear = EvidenceWear(String(name)) else {
          throw ValidationError("--wears are \(EvidenceWear.named.joined(separator: ", ")), not \(name)")
        }
        return wear
      }
      if let degrade {
        do { list.append(EvidenceWear("own", own: try Degradation.list(degrade))) } catch {
          throw ValidationError("\(error)")
        }
      }
      guard !list.isEmpty else { throw ValidationError("--wears names none") }
      return list
    }

    private func subjects() throws -> [EvidencePicture.Subject] {
      guard let kinds else { return EvidencePicture.Subject.usual }
      return try kinds.split(separator: ",").map { name in
        guard let subject = EvidencePicture.Subject(rawValue: String(name)) else {
          let names = EvidencePicture.Subject.allCases.map(\.rawValue).joined(separator: ", ")
          throw ValidationError("--kinds are \(names), not \(name)")
        }
        return subject
      }
    }

    private func day() throws -> CalendarDate {
      guard let day = CalendarDate(on) else { throw ValidationError("\(on) is not a date YYYY-MM-DD") }
      return day
    }
  }
}
