// SPDX-License-Identifier: Apache-2.0

extension String {
  /// Text of bytes that are UTF-8; nil when any of them is not. The library's own comes with iOS 18 only.
  package init?(validUTF8 bytes: some Collection<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    // What is not UTF-8 was replaced, so that the bytes differ.
    guard text.utf8.elementsEqual(bytes) else { return nil }
    self = text
  }
}
