import Foundation

/// As much of swift-crypto as a key without a cipher needs.
public struct SymmetricKey: Equatable, Sendable {
  private let bytes: [UInt8]

  public init(data: some ContiguousBytes) { bytes = data.withUnsafeBytes { Array($0) } }

  public var bitCount: Int { bytes.count * 8 }

  public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try bytes.withUnsafeBytes(body)
  }
}
