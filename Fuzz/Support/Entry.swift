// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What libFuzzer calls; `fuzz` is the target's own.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzEntry(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  fuzz(data.map { Data(bytes: $0, count: count) } ?? Data())
  return 0
}

/// The input as text; bytes that are not UTF-8 are replaced, as where text is read from the network.
func text(_ bytes: Data) -> String { String(decoding: bytes, as: UTF8.self) }
