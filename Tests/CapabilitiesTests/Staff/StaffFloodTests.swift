// SPDX-License-Identifier: Apache-2.0

import Delivery
import Dispatch
import Foundation
import Kit
import Testing

@testable import Identity

@Suite("Staff: sign-ins beside a flood of them", .timeLimit(.minutes(5)))
struct StaffFloodTests {
  /// Runs `body` while no password can be compared for want of a thread.
  private func crowded(
    _ threads: BlockingThreadPool, _ body: () async throws -> Void
  ) async throws {
    let gate = DispatchSemaphore(value: 0)
    let (started, continuation) = AsyncStream.makeStream(of: Void.self)
    let held = Task {
      try await threads.run {
        continuation.yield()
        gate.wait()
      }
    }
    for await _ in started { break }
    try await body()
    gate.signal()
    try await held.value
  }

  @Test("a sign-in for which there was no thread is told when to come again, and does not count as a wrong password")
  func uncounted() async throws {
    let app = try await StaffTestApp()
    let member = try await app.add()
    let threads = BlockingThreadPool("test", width: 1, pendingMax: 1)
    let staff = Staff(core: app.core, threads: threads, cost: StaffTestApp.cheap)
    func signIn(_ password: String = StaffTestApp.password) async throws -> StaffAuthentication<StaffMember> {
      try await staff.authenticate(email: member.email, password: password, tenant: "bank", network: "192.0.2.0/24")
    }
    for _ in 1..<Staff.wrongMax { #expect(try await signIn("wrong horse battery") == .refused) }
    try await crowded(threads) {
      for _ in 1...2 * Staff.wrongMax {
        await #expect(throws: Problem.unavailable.with { $0.retryAfterSeconds = 1 }) { try await signIn() }
      }
    }
    // What was compared stays counted: one more wrong one locks.
    #expect(try await signIn("wrong horse battery") == .refused)
    guard case .locked = try await signIn() else {
      Issue.record("not locked after \(Staff.wrongMax) wrong passwords")
      return
    }
  }

  @Test("who was refused for want of a thread signs in when there is one")
  func later() async throws {
    let app = try await StaffTestApp()
    let member = try await app.add()
    let threads = BlockingThreadPool("test", width: 1, pendingMax: 1)
    let staff = Staff(core: app.core, threads: threads, cost: StaffTestApp.cheap)
    try await crowded(threads) {
      for _ in 1...2 * Staff.wrongMax {
        await #expect(throws: (any Error).self) {
          try await staff.authenticate(email: member.email, password: StaffTestApp.password, tenant: "bank")
        }
      }
    }
    #expect(
      try await staff.authenticate(email: member.email, password: StaffTestApp.password, tenant: "bank")
        == .accepted(member))
  }
}
