import Foundation

extension Data {
  /// Whether the bytes are the same, in a time that depends on the lengths only.
  func equalsInConstantTime(_ other: Data) -> Bool {
    guard count == other.count else { return false }
    return zip(self, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension UInt8 {
  /// All ones when the byte is zero, else zero, without a branch.
  var isZeroMask: Int { (Int(self) - 1) >> 8 }
}
