// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore
import TestSupport
import Testing

@Suite("PowerAuth: counters find each other again")
struct CounterSynchronizationTests {
  private let transportKey = TransportKey(SecretKey(.seeded(1)))
  private let start = CounterData(.seeded(2))

  /// The verdict of a device so many steps from the start about a server so many steps from it.
  private func resolve(device: Int, server: Int, from byte: UInt8 = 0, knowsByte: Bool = true) -> CounterSynchronization
  {
    let server = SignatureCounter(number: UInt64(byte), data: start).advanced(by: server)
    let status = ActivationStatus(
      state: .active, counterByte: server.byte, failedAttempts: 0, maxFailedAttempts: 5, lookAhead: 20,
      counterHash: transportKey.counterHash(of: server.data))
    let device = DeviceCounter(byte: knowsByte ? byte : nil, data: start).advanced(by: device)
    return CounterSynchronization.resolve(device, status: status, transportKey: transportKey)
  }

  private func counter(_ steps: Int, from byte: UInt8 = 0) -> DeviceCounter {
    DeviceCounter(byte: byte, data: start).advanced(by: steps)
  }

  @Test("equal counters are in step, also where the byte wraps", arguments: [0, 1, 127, 128, 255, 256, 300])
  func equal(steps: Int) {
    #expect(resolve(device: steps, server: steps) == .inStep)
  }

  @Test("a device ahead: in step up to half the window, then a signature, then a deadlock", arguments: [0, 120, 250])
  func deviceAhead(byte: UInt8) {
    for ahead in 1...10 { #expect(resolve(device: ahead, server: 0, from: byte) == .inStep) }
    for ahead in 11...20 { #expect(resolve(device: ahead, server: 0, from: byte) == .needsSignature) }
    for ahead in [21, 64, 127, 128, 200] { #expect(resolve(device: ahead, server: 0, from: byte) == .deadlock) }
  }

  @Test("a server ahead: its counter is adopted inside the window, a deadlock outside", arguments: [0, 120, 250])
  func serverAhead(byte: UInt8) {
    for ahead in 1..<20 {
      #expect(resolve(device: 0, server: ahead, from: byte) == .adopt(counter(ahead, from: byte)))
    }
    for ahead in [20, 21, 127, 128, 200] { #expect(resolve(device: 0, server: ahead, from: byte) == .deadlock) }
  }

  @Test("a device without a byte learns it when the data agree, and lets it be otherwise")
  func noByte() {
    #expect(
      resolve(device: 0, server: 0, from: 77, knowsByte: false) == .adopt(DeviceCounter(byte: 77, data: start)))
    #expect(resolve(device: 0, server: 3, knowsByte: false) == .inStep)
    #expect(resolve(device: 3, server: 0, knowsByte: false) == .inStep)
  }

  @Test("bytes that agree over data that do not are a deadlock, and the other way round")
  func contradictions() {
    let status = ActivationStatus(
      state: .active, counterByte: 5, failedAttempts: 0, maxFailedAttempts: 5, lookAhead: 20,
      counterHash: transportKey.counterHash(of: start))
    func resolve(_ byte: UInt8, _ data: CounterData) -> CounterSynchronization {
      .resolve(DeviceCounter(byte: byte, data: data), status: status, transportKey: transportKey)
    }
    #expect(resolve(5, CounterData(.seeded(3))) == .deadlock)
    #expect(resolve(6, start) == .deadlock)
    #expect(resolve(4, start) == .deadlock)
    #expect(resolve(5, start) == .inStep)
  }

  @Test("requests and answers may be lost in any order, and the counters still meet", arguments: 0..<20)
  func losses(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var server = SignatureCounter(number: .random(in: 0...1000, using: &generator), data: start)
    var device = DeviceCounter(byte: server.byte, data: start)
    /// What a verified signature does to the server's counter.
    func receive() throws {
      let hash = transportKey.counterHash(of: device.data)
      server = server.advanced(by: try #require(transportKey.distance(from: server.data, to: hash, window: 20)) + 1)
    }
    var saved = device
    for _ in 0..<80 {
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: saved = device
      case 1 where server.byte &- (saved.byte ?? 0) < 20: device = saved  // an old backup of the device
      case 2: try receive()
      default: break  // the request is lost on its way
      }
      device = device.next
      let status = ActivationStatus(
        state: .active, counterByte: server.byte, failedAttempts: 0, maxFailedAttempts: 5, lookAhead: 20,
        counterHash: transportKey.counterHash(of: server.data))
      switch CounterSynchronization.resolve(device, status: status, transportKey: transportKey) {
      case .inStep: break
      case .adopt(let counter): device = counter
      case .needsSignature:
        try receive()
        device = device.next
      case .deadlock: Issue.record("lost at \(server.number)")
      }
    }
  }
}
