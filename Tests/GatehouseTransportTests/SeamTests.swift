// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import GatehouseTransport

@Suite("Transport: clocks, chance and stores that answer at once")
struct SeamTests {
  @Test("the live clocks go forward together")
  func clocks() async throws {
    let clock = ClientClock.live
    let (wall, uptime) = (clock.wallTime(), clock.uptime())
    try await clock.pause(for: .milliseconds(20))
    #expect(clock.uptime() - uptime >= .milliseconds(20))
    #expect(clock.wallTime() > wall && wall > 1_700_000_000)
  }

  @Test("live chance gives as many bytes as asked for, and never the same")
  func randomness() {
    let bytes = (0..<64).map { _ in ClientRandomness.live.bytes(16) }
    #expect(bytes.allSatisfy { $0.count == 16 } && Set(bytes).count == 64)
    #expect(ClientRandomness.live.bytes(0).isEmpty)
  }

  @Test("a store in memory keeps, replaces and forgets")
  func memory() {
    let store = MemorySecureStore(["a": Data([1])])
    store.write(Data([2]), as: "b")
    store.write(Data([3]), as: "a")
    #expect(store.contents == ["a": Data([3]), "b": Data([2])])
    store.remove("a")
    store.remove("nothing")
    #expect(store.read("a") == nil && store.read("b") == Data([2]))
  }

  @Test("threads that change one sealed file lose nothing of each other")
  func sealedFromThreads() async throws {
    let folder = try TestFolder()
    let store = try SealedFileStore(
      file: folder.url("secrets"), key: Data(repeating: 7, count: SealedFileStore.keyBytes))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<32 { group.addTask { try store.write(Data([UInt8(number)]), as: "\(number)") } }
      try await group.waitForAll()
    }
    for number in 0..<32 { #expect(try store.read("\(number)") == Data([UInt8(number)])) }
  }

  #if !canImport(Security)
    @Test("a pinned client sends nothing where the certificate cannot be checked")
    func pinned() async throws {
      let transport = HTTPTransport.live(trusting: .pinned([Data(count: 32)]))
      let url = try #require(URL(string: "https://localhost:1/"))
      await #expect(throws: TransportError(.insecure)) {
        try await transport.send(TransportRequest(method: "GET", url: url))
      }
    }
  #endif
}
