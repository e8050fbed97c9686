// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import SEAuthenticator
import SaltEdgeAuthenticator
import SaltEdgeCore
import Testing

extension Published {
  /// The calls are those of the published read-me and of the published app: both give the guid of the connection as the
  /// tag of a new pair, and decrypt and delete by `SETagHelper.create(for: guid)`.
  @Suite("Published surface: under which tag a connection's pair is kept")
  struct KeyTagTests {
    private static let path = "/prefix/api/authenticator/v1/authorizations"
    private let wrapped = SETagHelper.create(for: Device.guid)

    private func listing() async throws -> Result<SEEncryptedListResponse, Refused> {
      let data = SEBaseAuthenticatedRequestData(
        url: try #require(URL(string: Device.base)), connectionGuid: Device.guid, accessToken: "token-1",
        appLanguage: "en")
      return await told {
        SEAuthorizationManager.getEncryptedAuthorizations(data: data, onSuccess: $0, onFailure: $1)
      }
    }

    @Test("the guid is given, and every later call finds the pair by the guid", arguments: [true, false])
    func guid(isProtected: Bool) async throws {
      let device = Device(["GET \(Self.path)": (200, #"{"data":[]}"#)])
      if isProtected { SEAuthenticatorPlatform.current.keyProtection = DeviceOwner().protection }
      let data = try #require(SECreateConnectionRequestData(code: "demo", tag: Device.guid))
      #expect(data.publicKey == SECryptoHelper.publicKeyToPem(tag: wrapped))
      #expect(device.store.contents.keys.sorted() == ["\(wrapped).private"])
      #expect(try await listing().get().data.isEmpty)
      let encrypted = try SECryptoHelper.encrypt("text", tag: wrapped)
      #expect(try SECryptoHelper.decrypt(encrypted, tag: wrapped) == "text")
      SECryptoHelper.deleteKeyPair(with: SETagHelper.create(for: Device.guid))
      #expect(device.store.contents.isEmpty)
    }

    @Test("an app that was written for our first versions gives the tag that they wanted, and works on")
    func wrappedAlready() async throws {
      let device = Device(["GET \(Self.path)": (200, #"{"data":[]}"#)])
      _ = try #require(SECreateConnectionRequestData(code: "demo", tag: wrapped))
      #expect(device.store.contents.keys.sorted() == ["\(wrapped).private"])
      #expect(try await listing().get().data.isEmpty)
    }

    @Test(
      "a pair that an earlier version kept under the bare guid is found and moved, sealed or not",
      arguments: [true, false])
    func upgrade(isProtected: Bool) async throws {
      let device = Device(["GET \(Self.path)": (200, #"{"data":[]}"#)])
      if isProtected { SEAuthenticatorPlatform.current.keyProtection = DeviceOwner().protection }
      // As `SECreateConnectionRequestData` kept it: under the tag that it was given.
      let pem = try #require(Device.keys.get().first).pkcs8PEM
      SECryptoHelper.createKey(from: pem, isPublic: false, tag: Device.guid)
      #expect(device.store.contents.keys.sorted() == ["\(Device.guid).private"])
      let publicKey = SECryptoHelper.publicKeyToPem(tag: Device.guid)
      #expect(try await listing().get().data.isEmpty)
      #expect(device.store.contents.keys.sorted() == ["\(wrapped).private"])
      #expect(publicKey != nil && SECryptoHelper.publicKeyToPem(tag: wrapped) == publicKey)
    }

    @Test("a pair under the bare guid does not come back after it was deleted or replaced")
    func gone() async throws {
      let device = Device()
      let pem = try #require(Device.keys.get().first).pkcs8PEM
      SECryptoHelper.createKey(from: pem, isPublic: false, tag: Device.guid)
      #expect(SECryptoHelper.deleteKeyPair(with: wrapped) && device.store.contents.isEmpty)
      await #expect(throws: Refused(word: "ApiRequestError")) { try await listing().get() }
      SECryptoHelper.createKey(from: pem, isPublic: false, tag: Device.guid)
      let replaced = try #require(SECreateConnectionRequestData(code: "demo", tag: Device.guid))
      #expect(device.store.contents.keys.sorted() == ["\(wrapped).private"])
      #expect(SECryptoHelper.publicKeyToPem(tag: wrapped) == replaced.publicKey)
    }

    @Test("a bank's key that stands alone under the guid is no pair")
    func bankKey() throws {
      let device = Device()
      let bank = try #require(Device.keys.get().last).publicKey
      SECryptoHelper.createKey(from: bank.pem, isPublic: true, tag: Device.guid)
      #expect(SECryptoHelper.publicKeyToPem(tag: wrapped) == nil)
      #expect(device.store.contents.keys.sorted() == [Device.guid])
    }
  }
}
