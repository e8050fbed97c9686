// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The bytes of one message in the wire format of Protocol Buffers, field by field
/// (https://protobuf.dev/programming-guides/encoding/). As in proto3, a number that is 0 and a text that is empty are
/// left out.
struct ProtobufMessage {
  private(set) var bytes = Data()

  /// `uint64`, `int64` and enumerations: wire type 0. A negative number is its two's complement.
  mutating func varint(_ field: Int, _ value: UInt64) {
    guard value != 0 else { return }
    tag(field, 0)
    varint(value)
  }

  /// `fixed64`: wire type 1, the least significant byte first.
  mutating func fixed64(_ field: Int, _ value: UInt64) {
    guard value != 0 else { return }
    tag(field, 1)
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// `bytes`: wire type 2.
  mutating func data(_ field: Int, _ value: some Collection<UInt8>) {
    guard !value.isEmpty else { return }
    delimited(field, value)
  }

  /// `string`, in UTF-8.
  mutating func text(_ field: Int, _ value: String) { data(field, Array(value.utf8)) }

  /// A message, an empty one too: it is there.
  mutating func message(_ field: Int, _ fill: (inout ProtobufMessage) -> Void) {
    var inner = ProtobufMessage()
    fill(&inner)
    delimited(field, inner.bytes)
  }

  /// A number that is a member of a `oneof`: written when it is 0 too, as otherwise no member would be chosen.
  mutating func choice(_ field: Int, _ value: UInt64) {
    tag(field, 0)
    varint(value)
  }

  /// A text that is a member of a `oneof`.
  mutating func choice(_ field: Int, _ value: String) { delimited(field, Array(value.utf8)) }

  private mutating func delimited(_ field: Int, _ value: some Collection<UInt8>) {
    tag(field, 2)
    varint(UInt64(value.count))
    bytes.append(contentsOf: value)
  }

  private mutating func tag(_ field: Int, _ wireType: UInt64) { varint(UInt64(field) << 3 | wireType) }

  /// Seven bits a byte, the lowest first; the highest bit says that more follow.
  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
