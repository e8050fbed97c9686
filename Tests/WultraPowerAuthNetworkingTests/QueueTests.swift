// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import PowerAuth2
import PowerAuthCore
import PowerAuthPeer
import Testing

@testable import WultraPowerAuthNetworking

@Suite("Networking: order and cancelling", .timeLimit(.minutes(5)))
struct QueueTests {
  @Test(
    "signed calls reach the server in the order of their counters, beside those of the instance",
    arguments: [
      WPNRequestConcurrencyStrategy.serialSigned, .serialAll,
    ])
  func order(strategy: WPNRequestConcurrencyStrategy) async throws {
    let bench = try await Bench()
    bench.service.concurencyStrategy = strategy
    bench.serve(ApplicationRule(.signature(uriId: Bench.uriId)))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<12 {
        group.addTask {
          let answer = try await bench.service.post(
            data: Bench.Request(["say": "\(number)"]), signedWith: .possession(), to: bench.signed)
          #expect(answer.responseObject == ["said": "\(number)"])
        }
      }
      group.addTask { try await bench.sdk.validatePassword(password: Phone.pin) }
      try await group.waitForAll()
    }
    let seen = bench.phone.peer.signatures
    #expect(seen.count == 13 && seen.allSatisfy { $0.ahead == 0 })
  }

  @Test(
    "a call whose token has yet to be made does not wait for itself", arguments: WPNRequestConcurrencyStrategy.allCases)
  func token(strategy: WPNRequestConcurrencyStrategy) async throws {
    let bench = try await Bench()
    bench.service.concurencyStrategy = strategy
    bench.serve(ApplicationRule(.token))
    let answer = try await bench.service.post(
      data: Bench.Request(["say": "t"]), signedWith: .possession(), to: bench.withToken)
    #expect(answer.responseObject == ["said": "t"])
  }

  @Test("without an activation a signed call and one with a token fail, and nothing is sent")
  func missing() async throws {
    let bench = try await Bench(isActivated: false)
    bench.answer(200, #"{"status":"OK","responseObject":{}}"#)
    for strategy in WPNRequestConcurrencyStrategy.allCases {
      bench.service.concurencyStrategy = strategy
      await #expect {
        _ = try await bench.service.post(data: Bench.Request([:]), signedWith: .possession(), to: bench.signed)
      } throws: { ($0 as? WPNError)?.reason == .missingActivation }
      await #expect {
        _ = try await bench.service.post(data: Bench.Request([:]), signedWith: .possession(), to: bench.withToken)
      } throws: { ($0 as? WPNError)?.reason == .missingActivation }
    }
    #expect(bench.phone.peer.state.withLock { $0.requests.allSatisfy { $0.path != Bench.path } })
  }

  @Test("a cancelled call completes once, as cancelled, without waiting for the server")
  func cancelled() async throws {
    let bench = try await Bench()
    let heard = Heard<WPNErrorReason?>()
    let gate = Gate()
    bench.serve(ApplicationRule(.none))
    bench.phone.peer.next(Bench.path, .held(gate))
    let operation = bench.service.post(data: Bench.Request([:]), to: bench.basic) { _, error in
      heard.hear(error?.reason)
    }
    await gate.reached()
    operation.cancel()
    operation.cancel()
    await heard.wait()
    gate.open()
    operation.waitInBackground()
    await heard.settle()
    #expect(heard.all == [.canceled] && operation.isCancelled)
  }

  @Test("a call that is cancelled while others are before it completes at once, and is not sent")
  func cancelledInLine() async throws {
    let bench = try await Bench()
    let (first, second) = (Heard<WPNErrorReason?>(), Heard<WPNErrorReason?>())
    let gate = Gate()
    bench.serve(ApplicationRule(.signature(uriId: Bench.uriId)))
    bench.phone.peer.next(Bench.path, .held(gate))
    bench.service.post(data: Bench.Request(["say": "1"]), signedWith: .possession(), to: bench.signed) { _, error in
      first.hear(error?.reason)
    }
    await gate.reached()
    let operation = bench.service.post(
      data: Bench.Request(["say": "2"]), signedWith: .possession(), to: bench.signed
    ) { _, error in second.hear(error?.reason) }
    operation.cancel()
    await second.wait()
    #expect(second.all == [.canceled] && first.all.isEmpty)
    gate.open()
    await first.wait()
    #expect(first.all == [nil])
    // Later signed calls are not in its way.
    _ = try await bench.service.post(
      data: Bench.Request(["say": "3"]), signedWith: .possession(), to: bench.signed)
    #expect(bench.phone.peer.signatures.count == 2 && second.all == [.canceled])
  }

  @Test("an asynchronous call ends when its task is cancelled, before it begins as well")
  func asynchronous() async throws {
    let bench = try await Bench()
    let gate = Gate()
    bench.serve(ApplicationRule(.none))
    bench.phone.peer.next(Bench.path, .held(gate))
    let task = Task { await reason { () async throws(WPNError) in try await bench.call() } }
    await gate.reached()
    task.cancel()
    #expect(await task.value == .canceled)
    gate.open()
    let early = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await reason { () async throws(WPNError) in try await bench.call() }
    }
    #expect(await early.value == .canceled)
  }

  private func reason<Value>(_ work: () async throws(WPNError) -> Value) async -> WPNErrorReason? {
    do throws(WPNError) { _ = try await work() } catch { return error.reason }
    return nil
  }
}

extension Operation {
  /// Waits until the operation has left its queue.
  fileprivate func waitInBackground() { waitUntilFinished() }
}
