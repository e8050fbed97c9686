import Foundation
import PowerAuthCore
import Synchronization
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

  @Test("the SDK's own signed calls wait for the app's turn, and the app for theirs")
  func turns() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    let order = Mutex<[String]>([])
    let begun = Gate()
    let task = Mutex<(any PowerAuthOperationTask)?>(nil)
    let turn = sdk.executeBlock { _ in begun.open() }
    task.withLock { $0 = nil }
    try await begun.pass()
    async let validated: Void = sdk.validatePassword(password: Phone.pin)
    #expect(phone.peer.count(of: .validateSignature) == 0)
    order.withLock { $0.append("app") }
    turn?.cancel()
    try await validated
    order.withLock { $0.append("SDK") }
    #expect(order.withLock { $0 } == ["app", "SDK"])
    #expect(turn?.isCancelled == true)
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
