// SPDX-License-Identifier: Apache-2.0

extension UInt8 {
  /// All ones when the byte is zero, else zero, without a branch.
  var isZeroMask: Int { (Int(self) - 1) >> 8 }
}
