// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthPeer
import PowerAuthCore
import Synchronization
import TestSupport
import Testing

@testable import PowerAuth2

@Suite("PowerAuth client: the serial queue")
struct SerialQueueTests {
  @Test("1,000 signatures from 8 threads reach the server in the order of their counters, none twice, none missing")
  func thousand() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    let failures = Mutex(0)
    await withCheckedContinuation { done in
      let group = DispatchGroup()
      for thread in 0..<8 {
        DispatchQueue(label: "thread \(thread)").async(group: group) {
          for _ in 0..<125 {
            group.enter()
            let isQueued = sdk.executeOperation(
              onSerialQueue: BlockOperation {
                do { try phone.sign(sdk, .possession()) } catch { failures.withLock { $0 += 1 } }
                group.leave()
              })
            if !isQueued { group.leave() }
          }
        }
      }
      group.notify(queue: .global()) { done.resume() }
    }
    #expect(failures.withLock { $0 } == 0)
    #expect(phone.peer.signatures.map(\.ahead) == Array(repeating: 0, count: 1000))
    #expect(phone.peer.signatures.compactMap(\.counter) == Array(0..<1000))
  }

  @Test("signatures from 8 threads outside of the queue never use a counter twice")
  func unordered() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    let client = try #require(sdk.access.client)
    let identifier = try client.session.requireActivation().identifier
    let counters = await withTaskGroup(of: [Data].self) { group in
      for _ in 0..<8 {
        group.addTask { (0..<50).compactMap { _ in try? client.session.takeCounter(of: identifier).bytes } }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(counters.count == 400 && Set(counters).count == 400)
  }

  @Test("the SDK's own signed calls wait for the app's turn, and the app for theirs", .timeLimit(.minutes(1)))
  func turns() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    let queue = try #require(sdk.access.client).queue
    let begun = Gate()
    let turn = sdk.executeBlock { _ in begun.open() }
    try await begun.pass()
    async let first: Void = sdk.validatePassword(password: Phone.pin)
    try await waitUntil("the SDK's call stands in the queue") {
      queue.count >= 2 || phone.peer.count(of: .validateSignature) > 0
    }
    // The SDK's call stands behind this turn. Had it passed by, the peer would have seen it first.
    #expect(phone.peer.count(of: .validateSignature) == 0)
    try phone.sign(sdk, .possession())
    turn?.cancel()
    try await first

    let answer = Gate()
    phone.peer.next(.validateSignature, .held(answer))
    async let second: Void = sdk.validatePassword(password: Phone.pin)
    await answer.reached()
    let isQueued = sdk.executeOperation(
      onSerialQueue: BlockOperation { #expect(throws: Never.self) { try phone.sign(sdk, .possession()) } })
    #expect(isQueued && queue.count == 2)
    answer.open()
    try await second
    await queue.settle()
    #expect(
      phone.peer.signatures.map(\.type) == [
        .possession, .possessionKnowledge, .possessionKnowledge, .possession,
      ])
    #expect(phone.peer.signatures.map(\.ahead) == [0, 0, 0, 0])
  }

  @Test("without an activation nothing is lined up")
  func none() {
    let sdk = Phone().start()
    #expect(!sdk.executeOperation(onSerialQueue: BlockOperation { Issue.record("was run") }))
    #expect(sdk.executeBlock { _ in Issue.record("was run") } == nil)
  }

  @Test("an operation is a task that can be cancelled")
  func operations() {
    let task: any PowerAuthOperationTask = BlockOperation {}
    task.cancel()
    #expect(task.isCancelled)
  }
}

extension SerialQueue {
  /// Waits for everything that is lined up.
  fileprivate func settle() async {
    await withCheckedContinuation { done in add(BlockOperation { done.resume() }) }
  }
}
