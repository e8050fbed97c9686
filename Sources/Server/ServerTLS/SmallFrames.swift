// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Counts the frames of a connection of HTTP/2 that hold more of a node's memory than their client sends. Each frame of
/// a stream waits in a place of some 40 bytes until the stream is read on, and the stream keeps its places until it
/// ends: no window bounds how many WINDOW_UPDATE there are, and that of a stream lets 65,535 DATA of one byte come
/// (RFC 9113 §6.9).
///
/// A client has reason to send some: it ends a body, or tells that it has taken an answer. So what is sent to it makes
/// up for them.
struct SmallFrames {
  /// Beyond so many more than were made up for a stranger's connection is closed.
  static let most = 1024
  /// One of a proxy, which hands on the pieces of many clients.
  static let mostOfProxy = 16 * 1024
  /// DATA is small below: the window of a stream lets no more than `most` of this size come.
  static let small = 64
  private static let headLength = 9

  /// Those that nothing has made up for yet.
  private(set) var count = 0
  /// Bytes of the preface (RFC 9113 §3.4), and then of a frame's payload, that are still to come.
  private var rest = 24
  /// As much of a frame's head as has come.
  private var head = ByteBuffer()

  /// Takes note of what came from the client, from its first byte.
  mutating func receive(_ bytes: ByteBuffer) {
    var bytes = bytes
    while bytes.readableBytes > 0 {
      let skipped = min(rest, bytes.readableBytes)
      bytes.moveReaderIndex(forwardBy: skipped)
      rest -= skipped
      let missing = min(Self.headLength - head.readableBytes, bytes.readableBytes)
      guard rest == 0, var piece = bytes.readSlice(length: missing) else { continue }
      head.writeBuffer(&piece)
      guard head.readableBytes == Self.headLength,
        let (high, low, kind, flags, stream) = head.readMultipleIntegers(
          as: (UInt8, UInt16, UInt8, UInt8, UInt32).self)
      else { continue }
      head.clear()
      rest = Int(high) << 16 | Int(low)
      let endsStream = flags & 1 == 1
      switch kind {
      case 0x0 where rest < Self.small && !endsStream: count += 1
      case 0x8 where stream << 1 != 0: count += 1
      default: break
      }
    }
  }

  /// Takes note of what is written to the client at once.
  mutating func send(_ bytes: Int) { count = max(0, count - 1 - bytes / 1024) }
}
