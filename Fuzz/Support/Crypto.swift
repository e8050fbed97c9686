// SPDX-License-Identifier: Apache-2.0

import Foundation

/// As much of swift-crypto as readers need: a key without a cipher, digests of nothing, and keys that find every
/// signature right, so that what is read only behind a right one is read here too.
public struct SymmetricKey: Equatable, Sendable {
  private let bytes: [UInt8]

  public init(data: some ContiguousBytes) { bytes = data.withUnsafeBytes { Array($0) } }

  public var bitCount: Int { bytes.count * 8 }

  public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try bytes.withUnsafeBytes(body)
  }
}

public struct SHA256 {
  public static func hash(data: some DataProtocol) -> [UInt8] { Array(repeating: 0, count: 32) }

  public init() {}
  public mutating func update(data: some DataProtocol) {}
  public func finalize() -> [UInt8] { Array(repeating: 0, count: 32) }
}
public enum SHA384 { public static func hash(data: some DataProtocol) -> [UInt8] { Array(repeating: 0, count: 48) } }
public enum SHA512 { public static func hash(data: some DataProtocol) -> [UInt8] { Array(repeating: 0, count: 64) } }

public enum Insecure {
  public enum SHA1 { public static func hash(data: some DataProtocol) -> [UInt8] { Array(repeating: 0, count: 20) } }
}

public struct Malformed: Error {}

public enum P256 {
  public enum Signing {
    public struct PublicKey: Sendable {
      public init(x963Representation point: some ContiguousBytes) throws {
        guard point.withUnsafeBytes({ $0.count == 65 && $0[0] == 4 }) else { throw Malformed() }
      }

      public func isValidSignature(_ signature: ECDSASignature, for bytes: some Sequence<UInt8>) -> Bool { true }
    }

    public struct ECDSASignature {
      public init(derRepresentation bytes: some DataProtocol) throws {}
      public init(rawRepresentation bytes: some DataProtocol) throws {}
    }
  }
}
