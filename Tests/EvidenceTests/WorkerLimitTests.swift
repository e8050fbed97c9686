// SPDX-License-Identifier: Apache-2.0

import CrashTrials
import CScheduling
import Foundation
import TestSupport
import Testing

@testable import Evidence

@Suite(
  "Evidence: a child process that reads pictures is given up at its limits (issue 24)",
  .enabled(if: HelperProgram.url("PageReader") != nil, "no PageReader was built"), .timeLimit(.minutes(5)))
struct WorkerLimitTests {
  private let picture: Data

  init() throws { picture = try Pictures.jpeg(Pictures.gradient(700, 660)) }

  private func reader(_ arguments: String..., limits: WorkerLimits = WorkerLimits()) throws -> EvidenceReader {
    let program = try #require(HelperProgram.url("PageReader")?.path)
    return EvidenceReader(execution: .workers(command: [program] + arguments), workerLimits: limits)
  }

  @Test("one that computes for longer than it may is ended, and costs its picture")
  func processor() async throws {
    // Its limit of the processor ends it: its time to answer would not, before this test is given up.
    var limits = WorkerLimits()
    limits.deadline = .seconds(3600)
    let reader = try reader("--spin", limits: limits)
    await #expect(throws: ImageProblem.notDecodable) { try await reader.inspectDocument(picture) }
    let counts = try #require(reader.workers?.counts)
    #expect(counts.losses == 1 && counts.workers == 0)
  }

  @Test("one that did not get the processor in time is ended, and the picture is to come again")
  func waiting() async throws {
    var limits = WorkerLimits()
    limits.deadline = .zero
    let reader = try reader("--wait", limits: limits)
    await #expect(throws: EvidenceQueue.Busy.self) { try await reader.inspectDocument(picture) }
    let counts = try #require(reader.workers?.counts)
    #expect(counts.losses == 1 && counts.workers == 0)
  }

  @Test("one that has read as many pictures as it may is replaced, and costs none")
  func replacement() async throws {
    var limits = WorkerLimits()
    limits.pagesMax = 2
    let reader = try reader(limits: limits)
    for _ in 0..<5 { #expect(try await reader.inspectDocument(picture).image.width == 700) }
    let counts = try #require(reader.workers?.counts)
    #expect(counts.starts == 3 && counts.pages == 5 && counts.losses == 0 && counts.workers == 1)
  }

  @Test("it lets what answers requests have the processor first")
  func niceness() async throws {
    let reader = try reader()
    _ = try await reader.inspectDocument(picture)
    let process = try #require(reader.workers?.idleProcesses.last)
    #expect(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(process)) >= 10)
  }

  @Test(
    "it has long slices of the processor, so that what answers requests need not wait for the end of one",
    .enabled(if: cscheduling_slice(0) > 0, "kernels before Linux 6.12 do not tell of slices"))
  func slices() async throws {
    let reader = try reader()
    _ = try await reader.inspectDocument(picture)
    let process = try #require(reader.workers?.idleProcesses.last)
    #expect(cscheduling_slice(process) == cscheduling_longest_slice)
  }
}
