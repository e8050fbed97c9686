// SPDX-License-Identifier: Apache-2.0

import Testing
import TestSupport

@testable import GatehouseApp
@testable import GatehouseLab

@Suite("Bench: what is measured", .storeless)
struct BenchTests {
  @Test("a percentile is the smallest value that so many hundredths do not exceed")
  func percentiles() {
    var latencies = Latencies()
    #expect(latencies.percentile(99) == 0)
    for milliseconds in (1...200).reversed() { latencies.add(.milliseconds(milliseconds)) }
    #expect(latencies.percentile(50) == 100 && latencies.percentile(99) == 198 && latencies.percentile(100) == 200)
  }

  @Test("a journey is at least fourteen steps, answered by a server that runs, at every size")
  func small() async throws {
    let folder = try TestFolder()
    let bench = StoreBench(engine: "sqlite", sizes: [20, 40], journeys: 2, rounds: 1, connections: 2, say: { _ in })
    let report = try await bench.run(in: folder.path) { _ in nil }
    #expect(report.sizes.map(\.stored) == [20, 40])
    #expect(report.sizes.allSatisfy { $0.steps >= 2 * 14 && $0.p99 > 0 && $0.stepsPerSecond > 0 })
    #expect(ShareBench.Handler.allCases.allSatisfy { report.share.median($0) > 0 } && report.share.first > 0)
    #expect(report.ratio > 0)
  }

  @Test("proofs and encrypted requests are measured beside their primitives, in the same turns")
  func powerAuth() async throws {
    let folder = try TestFolder()
    let report = try await PowerAuthBench(rounds: 1, turn: .milliseconds(5)).run(in: folder.path)
    #expect(report.rounds.count == 1)
    #expect(PowerAuthReport.Name.allCases.allSatisfy { report[$0] > 0 })
    #expect(report.allowedSignature == 3 * report[.shortHMAC] + 2 * report[.longHMAC])
    #expect(report.signatureRatio > 0 && report.decryptRatio > 0)
  }

  @Test("suggestions are measured beside a full-text index, which finds as many")
  func addresses() async throws {
    let folder = try TestFolder()
    let report = try await AddressBench(count: 2000, queries: 200, seed: 1, say: { _ in }).run(in: folder.path)
    #expect(report.own.milliseconds.count == 200 && report.baseline.milliseconds.count == 200)
    #expect(report.bytes > 0 && report.agreeing >= 195, "\(report.agreeing)")
  }
}
