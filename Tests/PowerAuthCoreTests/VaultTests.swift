// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore
import TestSupport
import Testing

@Suite("PowerAuth: the vault, and keys at rest")
struct VaultTests {
  private let key: SecretKey
  private let other: SecretKey
  private let third: SecretKey

  init() throws {
    key = try SecretKey(Data(counting: 0..<16))
    other = try SecretKey(Data(counting: 16..<32))
    third = try SecretKey(Data(counting: 32..<48))
  }

  @Test("the vault's key travels as an independent implementation encrypts it")
  func vaultKey() throws {
    let encrypted = SecureVault.encrypted(key, transportKey: TransportKey(other))
    #expect(encrypted.base64EncodedString() == "nFTVcXAs+g8D82IVZ2ureAieFDfV/X98/ho++wMt8ns=")
    #expect(try SecureVault.decrypted(encrypted, transportKey: TransportKey(other)) == key)
    #expect(throws: PowerAuthError.notAuthentic) {
      try SecureVault.decrypted(encrypted, transportKey: TransportKey(key))
    }
    for count in [0, 16, 31, 48] {
      #expect(throws: PowerAuthError.malformed(.vault)) {
        try SecureVault.decrypted(Data(count: count), transportKey: TransportKey(other))
      }
    }
    for changed in encrypted.withEachByteChanged {
      #expect((try? SecureVault.decrypted(changed, transportKey: TransportKey(other))) != key)
    }
  }

  @Test("keys for apps differ by their index")
  func applicationKeys() {
    let keys = (0..<20).map { SecureVault.applicationKey(key, index: $0).bytes }
    #expect(Set(keys).count == 20)
  }

  @Test("the device's private key opens with the vault's key alone")
  func devicePrivateKey() throws {
    let one = try ECPrivateKey(Data([1]))
    #expect(
      SecureVault.encrypted(one, vaultKey: key).base64EncodedString()
        == "xqE7N4ePW4JvT4FiocjYeRi2LSyExeRXGvxBop23H03T/ZfBhwO0r/NOvbNrAsOu")
    let device = ECPrivateKey(.seeded(1))
    let encrypted = SecureVault.encrypted(device, vaultKey: key)
    func opened(_ encrypted: Data, _ vaultKey: SecretKey) throws -> ECPrivateKey {
      try SecureVault.devicePrivateKey(encrypted, vaultKey: vaultKey, publicKey: device.publicKey)
    }
    #expect(try opened(encrypted, key).scalar == device.scalar)
    #expect(throws: PowerAuthError.self) { try opened(encrypted, other) }
    for changed in encrypted.withEachByteChanged {
      #expect(throws: PowerAuthError.self) { try opened(changed, key) }
    }
    #expect(throws: PowerAuthError.malformed(.vault)) { try opened(Data(count: 64), key) }
  }

  @Test("signature keys are locked as an independent implementation locks them")
  func locks() throws {
    let password = try UnlockKey(password: Data("1234".utf8), salt: Data(repeating: 1, count: 16))
    let external = try UnlockKey(guardedKey: third)
    func locked(_ lock: UnlockKey, external: UnlockKey? = nil) -> String {
      lock.lock(key, externalKey: external).base64EncodedString()
    }
    #expect(locked(UnlockKey(deviceIdentifier: "device-1")) == "7PSiTQfIXopeb87eB8u07g==")
    #expect(locked(password) == "RMrha+o+ypACh5ewk3FgBw==")
    #expect(locked(password, external: external) == "g4tbJDlOPB26Qex20cIsLQ==")
    #expect(locked(try UnlockKey(guardedKey: other)) == "nFTVcXAs+g8D82IVZ2ureA==")
    #expect(try password.unlock(password.lock(key)) == key)
    #expect(try password.unlock(password.lock(key, externalKey: external), externalKey: external) == key)
  }

  @Test("a wrong password opens a wrong key, and nothing on the device tells")
  func wrongPassword() throws {
    let salt = Data(repeating: 1, count: 16)
    let locked = try UnlockKey(password: Data("1234".utf8), salt: salt).lock(key)
    #expect(try UnlockKey(password: Data("1235".utf8), salt: salt).unlock(locked) != key)
    #expect(try UnlockKey(password: Data("1234".utf8), salt: Data(count: 16)).unlock(locked) != key)
  }

  @Test("short and endless passwords, other salts, keys of zeros and broken locks are refused")
  func refusals() throws {
    let salt = Data(count: 16)
    #expect(throws: PowerAuthError.malformed(.vault)) { try UnlockKey(password: Data("123".utf8), salt: salt) }
    #expect(throws: PowerAuthError.malformed(.vault)) { try UnlockKey(password: Data("1234".utf8), salt: Data()) }
    #expect(throws: PowerAuthError.tooLong(.vault)) { try UnlockKey(password: Data(count: 1025), salt: salt) }
    #expect(throws: PowerAuthError.invalidKey) { try UnlockKey(guardedKey: SecretKey(Data(count: 16))) }
    let lock = UnlockKey(deviceIdentifier: "device-1")
    #expect(throws: PowerAuthError.malformed(.vault)) { try lock.unlock(Data(count: 32)) }
    #expect(throws: PowerAuthError.malformed(.vault)) { try lock.unlock(Data()) }
  }
}
