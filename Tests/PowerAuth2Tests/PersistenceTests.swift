// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import PowerAuthPeer
import PowerAuthCore
import TestSupport
import Testing

@testable import PowerAuth2

@Suite("PowerAuth client: state at rest")
struct PersistenceTests {
  /// What an app does in a life of an activation, with the store as it is killed at any moment of it.
  private func live(_ phone: Phone) async throws -> PowerAuthSDK {
    let sdk = try await phone.activated(biometry: true)
    try phone.sign(sdk)
    _ = try await sdk.tokenStore.requestAccessToken(withName: "t", authentication: .possession())
    try await sdk.changePassword(from: Phone.pin, to: "8642")
    try await sdk.addBiometryFactor(password: "8642")
    try phone.sign(sdk, .possessionWithBiometry())
    _ = sdk.removeBiometryFactor()
    _ = try await sdk.fetchActivationStatus()
    return sdk
  }

  @Test("killed between any two changes of the store, the app starts with no activation or with one that works")
  func killed() async throws {
    let store = FaultyStore()
    let phone = Phone(store: store)
    let sdk = try await live(phone)
    let identifier = sdk.activationIdentifier
    sdk.removeActivationLocal()
    let moments = store.moments
    #expect(moments.count > 12)
    let snapshot = phone.peer.state.withLock { $0 }

    var usable = 0
    for moment in moments {
      // The server stands where it stood at the end: further on than the killed app knows.
      phone.peer.state.withLock { $0 = snapshot }
      let revived = Phone(store: FaultyStore(moment), finger: phone.finger, peer: phone.peer)
      let restarted = revived.start()
      guard restarted.hasValidActivation() else {
        #expect(restarted.canStartActivation() && !restarted.hasPendingActivation())
        _ = try await restarted.createActivation(PowerAuthActivation(identityAttributes: ["otpCode": "1234"]))
        try restarted.persistActivation(withPassword: Phone.pin)
        try revived.sign(restarted)
        continue
      }
      usable += 1
      #expect(restarted.activationIdentifier == identifier)
      #expect(try await restarted.fetchActivationStatus().state == .active)
      try revived.sign(restarted, .possession())
      let knows = [Phone.pin, "8642"].contains { pin in
        (try? revived.sign(restarted, .possessionWithPassword(pin))) != nil
      }
      #expect(knows, "no password opens what was stored")
      _ = try await restarted.tokenStore.requestAccessToken(withName: "t", authentication: .possession())
    }
    #expect(usable > 8)
  }

  @Test("a signature leaves only when the next counter is stored")
  func counterFirst() async throws {
    let store = FaultyStore()
    let phone = Phone(store: store)
    let sdk = try await phone.activated()
    store.refuse(0)
    #expect(failureNow { try phone.sign(sdk) } == .invalidActivationState)
    store.refuse(nil)
    let header = try sdk.requestSignature(with: .possession(), method: "POST", uriId: "/x", body: nil)
    // Killed before the header was sent: the next one is made with the next counter.
    let restarted = Phone(store: FaultyStore(store.contents), peer: phone.peer).start()
    try phone.sign(restarted, .possession())
    #expect(phone.peer.signatures.map(\.ahead) == [1])
    #expect(throws: Refusal.self) { try phone.peer.verify(header.value, method: "POST", uriId: "/x", body: Data()) }
  }

  @Test("a store that refuses any one change leaves a state that works, or none", arguments: 0..<14)
  func refused(change: Int) async throws {
    let store = FaultyStore()
    let phone = Phone(store: store)
    store.refuse(change)
    _ = try? await live(phone)
    store.refuse(nil)
    let revived = Phone(store: FaultyStore(store.contents), finger: phone.finger, peer: phone.peer)
    let restarted = revived.start()
    guard restarted.hasValidActivation() else {
      #expect(restarted.canStartActivation())
      return
    }
    #expect(try await restarted.fetchActivationStatus().state == .active)
    try revived.sign(restarted, .possession())
    let knows = [Phone.pin, "8642"].contains { pin in
      (try? revived.sign(restarted, .possessionWithPassword(pin))) != nil
    }
    #expect(knows, "no password opens what was stored")
    if restarted.hasBiometryFactor() { try revived.sign(restarted, .possessionWithBiometry()) }
  }

  @Test("persisting that the store refused can be repeated")
  func persistAgain() async throws {
    let store = FaultyStore()
    let phone = Phone(store: store)
    let sdk = phone.start()
    _ = try await sdk.createActivation(PowerAuthActivation(activationCode: Peer.codeText))
    for change in 0..<3 {
      store.refuse(change)
      guard failureNow({ try sdk.persistActivation(withPassword: Phone.pin) }) != nil else { break }
      #expect(sdk.hasPendingActivation())
    }
    store.refuse(nil)
    if !sdk.hasValidActivation() { try sdk.persistActivation(withPassword: Phone.pin) }
    try phone.sign(phone.start())
  }

  @Test("a pending activation does not survive the app")
  func pending() async throws {
    let phone = Phone()
    let sdk = phone.start()
    _ = try await sdk.createActivation(PowerAuthActivation(activationCode: Peer.codeText))
    let restarted = phone.start()
    #expect(restarted.canStartActivation() && !restarted.hasPendingActivation())
  }

  @Test("a locked store is not taken for an empty one: nothing is overwritten, and it works once it opens")
  func locked() async throws {
    let store = FaultyStore()
    let phone = Phone(store: store)
    let identifier = try await phone.activated().activationIdentifier
    store.lock(true)
    let sdk = phone.start()
    #expect(!sdk.canStartActivation() && !sdk.hasValidActivation() && !sdk.hasPendingActivation())
    let another = try PowerAuthActivation(identityAttributes: ["otpCode": "1234"])
    #expect(await failure { try await sdk.createActivation(another) } == .invalidActivationState)
    #expect(failureNow { try phone.sign(sdk) } == .invalidActivationState)
    store.lock(false)
    #expect(sdk.hasValidActivation() && sdk.activationIdentifier == identifier)
    try phone.sign(sdk)
  }

  @Test(
    "what is stored and cannot be read counts as no activation", arguments: ["", "{}", #"{"format":2}"#, "rubbish"])
  func damaged(text: String) throws {
    let store = FaultyStore(["powerauth.default.activation": Data(text.utf8)])
    #expect(Phone(store: store).start().canStartActivation())
  }

  @Test("any changed byte of the record gives no activation or one that the server refuses, and no crash")
  func flipped() async throws {
    let store = FaultyStore()
    let phone = Phone(store: store)
    _ = try await phone.activated()
    let name = "powerauth.default.activation"
    let record = try #require(store.contents[name])
    for index in record.indices {
      var contents = store.contents
      var changed = record
      changed[index] ^= 1
      contents[name] = changed
      let sdk = Phone(store: FaultyStore(contents), peer: phone.peer).start()
      #expect(sdk.hasValidActivation() != sdk.canStartActivation())
      if sdk.hasValidActivation() {
        _ = try? sdk.requestSignature(with: .possessionWithPassword(Phone.pin), method: "POST", uriId: "/", body: nil)
      }
    }
  }

  @Test("the live store on this platform keeps an activation through a restart")
  func sealedFile() async throws {
    let folder = try TestFolder()
    let open = {
      try SealedFileStore(
        file: folder.url("state"), keyFile: folder.url("key"))
    }
    let phone = Phone(store: try open())
    let sdk = try await phone.activated()
    try phone.sign(sdk)
    let restarted = Phone(store: try open(), peer: phone.peer)
    try restarted.sign(restarted.start())
    #expect(phone.peer.signatures.map(\.ahead) == [0, 0])
  }
}
