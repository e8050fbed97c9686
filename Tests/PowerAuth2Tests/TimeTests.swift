// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import PowerAuthPeer
import PowerAuthCore
import Testing

@testable import PowerAuth2

@Suite("PowerAuth client: the server's time")
struct TimeTests {
  private let clock = MovableClock()

  /// Learns a time that the server said so many seconds ahead, after a round trip of so many seconds.
  private func learn(_ time: ServerTime, ahead: Double, trip: Double = 0) throws {
    let question = time.ask()
    clock.advance(by: trip)
    try time.learn(UInt64((question.wallTime + trip / 2 + ahead) * 1000), answering: question)
  }

  @Test("a difference below two seconds counts as zero", arguments: [(1.9, 0.0), (-1.9, 0), (2.5, 2.5), (-2.5, -2.5)])
  func small(ahead: Double, adjustment: Double) throws {
    let time = ServerTime(clock.client)
    #expect(!time.isSynchronized)
    try learn(time, ahead: ahead)
    #expect(time.isSynchronized && abs(time.adjustment - adjustment) < 0.01)
  }

  @Test(
    "an adjustment changes by ten seconds or not at all", arguments: [(109.0, 100.0), (111.0, 111.0), (91.0, 100.0)])
  func change(ahead: Double, adjustment: Double) throws {
    let time = ServerTime(clock.client)
    try learn(time, ahead: 100)
    try learn(time, ahead: ahead)
    #expect(abs(time.adjustment - adjustment) < 0.01)
  }

  @Test("the server is taken to have answered halfway, and an answer after sixteen seconds tells nothing")
  func trip() throws {
    let time = ServerTime(clock.client)
    try learn(time, ahead: 50, trip: 16)
    #expect(abs(time.adjustment - 50) < 0.01 && time.precision == 8)
    time.reset()
    #expect(throws: CallFailure.self) { try learn(time, ahead: 50, trip: 16.1) }
    #expect(!time.isSynchronized && time.adjustment == 0)
  }

  @Test("when the device's clock is set, the server's time is unknown again; when time passes it is not")
  func set() throws {
    let time = ServerTime(clock.client)
    try learn(time, ahead: 50)
    clock.advance(by: 100_000)
    #expect(time.isSynchronized)
    clock.set(by: 3600)
    #expect(!time.isSynchronized && time.adjustment == 0)
    try learn(time, ahead: -3550)
    #expect(time.isSynchronized && abs(time.adjustment + 3550) < 0.01)
  }

  @Test("a device whose clock is an hour off is heard nevertheless", arguments: [ProtocolVersion.v32, .v33])
  func anHourOff(version: ProtocolVersion) async throws {
    let phone = Phone(version)
    phone.peer.skew.withLock { $0 = 3_600_000 }
    let sdk = try await phone.activated()
    let token = try await sdk.tokenStore.requestAccessToken(withName: "t", authentication: .possession())
    _ = try phone.peer.verifyToken(try #require(token.generateHeader()).value)
    #expect(abs(sdk.timeSynchronizationService.localTimeAdjustment - 3600) < 0.01)
    #expect(abs(sdk.timeSynchronizationService.currentTime() - phone.clock.wall - 3600) < 0.01)
    #expect(sdk.timeSynchronizationService.localTimeAdjustmentPrecision == 0)
  }

  @Test(
    "when the server's clock is set, the call that it refuses asks for the time again and is heard",
    arguments: [ProtocolVersion.v32, .v33], [3_600_000, -3_600_000] as [Int64])
  func serverSet(version: ProtocolVersion, step: Int64) async throws {
    let phone = Phone(version)
    let sdk = try await phone.activated()
    _ = try await sdk.fetchUserInfo()
    phone.peer.skew.withLock { $0 = step }
    _ = try await sdk.fetchUserInfo()
    phone.peer.skew.withLock { $0 = -step }
    let token = try await sdk.tokenStore.requestAccessToken(withName: "t", authentication: .possession())
    _ = try phone.peer.verifyToken(try #require(token.generateHeader()).value)
  }

  @Test("the callback comes on the queue that was asked for, and the server is asked each time")
  func service() async throws {
    let phone = Phone()
    let sdk = phone.start()
    let service = sdk.timeSynchronizationService
    #expect(!service.isTimeSynchronized && service.currentTime() == phone.clock.wall)
    let queue = DispatchQueue(label: "mine")
    let error: (any Error)? = await withCheckedContinuation { done in
      service.synchronizeTime(
        callback: { error in
          dispatchPrecondition(condition: .onQueue(queue))
          done.resume(returning: error)
        }, callbackQueue: queue)
    }
    #expect(error == nil && service.isTimeSynchronized)
    try await service.synchronizeTime()
    #expect(phone.peer.count(of: .serverStatus) == 2)
    let status = try await sdk.fetchServerStatus()
    #expect(status.applicationName == "peer" && status.serverTime.timeIntervalSince1970 == phone.clock.wall)
    #expect(status.protocolVersions.isEmpty)
    // The app says which one it is, and words of later versions are passed over.
    let request = try #require(phone.peer.state.withLock { $0.requests.last })
    #expect(request.path.hasSuffix("/pa/v3/status"))
    #expect(String(decoding: request.body, as: UTF8.self).contains("applicationKey"))
    phone.peer.state.withLock { $0.protocolVersions = ["3.1", "3.2", "3.3", "3.4"] }
    #expect(try await sdk.fetchServerStatus().protocolVersions == [.v32, .v33])
  }
}
