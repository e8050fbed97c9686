// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import PowerAuthCore
import PowerAuthPeer
import TestSupport
import Testing

@testable import PowerAuth2

@Suite("PowerAuth client: two objects of one instance")
struct SharedInstanceTests {
  @Test("signatures of both use consecutive counters, none twice")
  func counters() async throws {
    let phone = Phone()
    let first = try await phone.activated(on: phone.store)
    let second = phone.start(on: phone.store)
    for _ in 0..<5 {
      try phone.sign(first)
      try phone.sign(second)
    }
    #expect(phone.peer.signatures.map(\.ahead) == Array(repeating: 0, count: 10))
    #expect(phone.peer.signatures.compactMap(\.counter) == Array(0..<10))
  }

  @Test("one file that was opened twice is one store")
  func oneFile() async throws {
    let made = try TestFolder()
    let (folder, link) = (made.url("folder"), made.url("link"))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)
    let key = Data(repeating: 7, count: 32)
    let stores = try [folder, link].map {
      try SealedFileStore(file: $0.appendingPathComponent("state"), key: key)
    }
    let phone = Phone(store: stores[0])
    let first = try await phone.activated(on: stores[0])
    let second = phone.start(on: stores[1])
    for _ in 0..<2 {
      try phone.sign(first, .possession())
      try phone.sign(second, .possession())
    }
    #expect(phone.peer.signatures.compactMap(\.counter) == [0, 1, 2, 3])
  }

  @Test("a password that was changed in one is the other's, and what the other stores later does not undo it")
  func password() async throws {
    let phone = Phone()
    let first = try await phone.activated(on: phone.store)
    let second = phone.start(on: phone.store)
    try await first.changePassword(from: Phone.pin, to: "8642")
    try await second.validatePassword(password: "8642")
    #expect(await failure { try await first.validatePassword(password: Phone.pin) } == .networkError)
    try phone.sign(phone.start(), .possessionWithPassword("8642"))
  }

  @Test("an activation that one makes, persists or removes is the other's, too, and they do not make two at once")
  func life() async throws {
    let phone = Phone()
    let first = phone.start(on: phone.store)
    let second = phone.start(on: phone.store)
    let activation = try PowerAuthActivation(activationCode: Peer.codeText)
    _ = try await first.createActivation(activation)
    #expect(second.hasPendingActivation() && !second.canStartActivation())
    #expect(await failure { try await second.createActivation(activation) } == .activationPending)
    try second.persistActivation(withPassword: Phone.pin)
    #expect(first.hasValidActivation() && first.activationIdentifier == second.activationIdentifier)
    _ = try await second.fetchActivationStatus()
    first.removeActivationLocal()
    #expect(second.lastFetchedActivationStatus == nil)
    #expect(second.canStartActivation() && !second.hasValidActivation())
    #expect(failureNow { try phone.sign(second) } == .missingActivation)
  }

  @Test("both ask for a token of one name, and the server makes one")
  func token() async throws {
    let phone = Phone()
    let first = try await phone.activated(on: phone.store)
    let second = phone.start(on: phone.store)
    let gate = Gate()
    phone.peer.next(.createToken, .held(gate))
    async let one = first.tokenStore.requestAccessToken(withName: "t", authentication: .possession())
    await gate.reached()
    async let other = second.tokenStore.requestAccessToken(withName: "t", authentication: .possession())
    gate.open()
    #expect(try await one.tokenIdentifier == other.tokenIdentifier)
    #expect(phone.peer.count(of: .createToken) == 1)
  }

  @Test("an external key that one adds opens the factors for the other, and objects of two instances share nothing")
  func externalKey() async throws {
    let phone = Phone()
    let first = try await phone.activated(on: phone.store)
    let second = phone.start(on: phone.store)
    try first.addExternalEncryptionKey(Data(repeating: 9, count: 16))
    try phone.sign(second)
    try second.removeExternalEncryptionKey()
    try phone.sign(first)
    let other = phone.start(on: phone.store) { $0.instanceId = "other" }
    #expect(other.canStartActivation() && first.hasValidActivation())
  }

  @Test("when the last object goes, what was only in memory goes")
  func released() async throws {
    let phone = Phone()
    func pending() async throws {
      _ = try await phone.start(on: phone.store).createActivation(PowerAuthActivation(activationCode: Peer.codeText))
    }
    try await pending()
    #expect(phone.start(on: phone.store).canStartActivation())
  }
}
