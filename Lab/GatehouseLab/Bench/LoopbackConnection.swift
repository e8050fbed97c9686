// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp

#if canImport(Glibc)
  import Glibc
#endif

/// One keep-alive HTTP/1.1 connection to this machine that blocks its thread: the cheapest client there is, because its
/// cost is in what is measured. Speaks only what our own server answers: a status, headers and a body of stated length.
final class LoopbackConnection {
  struct Answer {
    let status: Int
    /// The status line and the fields.
    let head: [UInt8]
    let body: [UInt8]

    /// - Parameter name: in lower case.
    func header(_ name: String) -> String? {
      String(decoding: head, as: UTF8.self).split(separator: "\r\n").first { $0.lowercased().hasPrefix("\(name):") }
        .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }
  }

  enum Failure: Error { case notConnected, closed, notHTTP, answerTooLarge }

  static let answerBytesMax = 1 << 20

  private let socket: Int32
  /// Read into and searched as it lies: an array would be copied whenever a part of it is handed out.
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: answerBytesMax, alignment: 16)

  init(port: Int) throws {
    socket = try LoopbackSocket.connected(port: port)
    var on: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit {
    close(socket)
    buffer.deallocate()
  }

  /// - Parameters:
  ///   - head: request line and headers without the empty line, each ended by CRLF.
  static func request(_ head: String, body: Data? = nil) -> [UInt8] {
    var text = head + "Host: 127.0.0.1\r\n"
    if let body { text += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n" }
    return Array((text + "\r\n").utf8) + (body.map(Array.init) ?? [])
  }

  func send(_ request: [UInt8]) throws -> Answer {
    var sent = 0
    while sent < request.count {
      let count = request[sent...].withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Failure.closed }
      sent += count
    }
    return try receive()
  }

  private func receive() throws -> Answer {
    var filled = 0
    var end: Int?
    while end == nil {
      filled += try fill(from: filled)
      end = Self.place(of: "\r\n\r\n", in: buffer[..<filled])
    }
    let head = buffer[..<(end ?? 0)]
    guard head.count > 12, head.starts(with: "HTTP/1.1 ".utf8) else { throw Failure.notHTTP }
    let (status, length) = (Self.number(in: head[9..<12]), try Self.contentLength(head))
    let bodyStart = head.count + 4
    guard length <= buffer.count - bodyStart else { throw Failure.answerTooLarge }
    while filled < bodyStart + length { filled += try fill(from: filled) }
    return Answer(status: status, head: Array(head), body: Array(buffer[bodyStart..<(bodyStart + length)]))
  }

  private func fill(from start: Int) throws -> Int {
    guard start < buffer.count else { throw Failure.answerTooLarge }
    let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
    let count = recv(socket, rest.baseAddress, rest.count, 0)
    guard count > 0 else { throw Failure.closed }
    return count
  }

  private static func contentLength(_ head: Slice<UnsafeMutableRawBufferPointer>) throws -> Int {
    guard let name = place(of: "content-length:", in: head) ?? place(of: "Content-Length:", in: head) else {
      return 0
    }
    return number(in: head[(name + 15)...].prefix { $0 != 13 })
  }

  /// Where a text begins; nil when it is not there.
  private static func place(of text: StaticString, in bytes: Slice<UnsafeMutableRawBufferPointer>) -> Int? {
    let (searched, count) = (UnsafeRawBufferPointer(rebasing: bytes), text.utf8CodeUnitCount)
    guard let start = searched.baseAddress else { return nil }
    var from = 0
    while from + count <= searched.count,
      let next = memchr(start + from, Int32(text.utf8Start[0]), searched.count - count - from + 1)
    {
      let place = start.distance(to: UnsafeRawPointer(next))
      if memcmp(next, text.utf8Start, count) == 0 { return bytes.startIndex + place }
      from = place + 1
    }
    return nil
  }

  /// The digits among the bytes, as a number.
  private static func number(in bytes: some Sequence<UInt8>) -> Int {
    bytes.filter { (48...57).contains($0) }.prefix(9).reduce(0) { $0 * 10 + Int($1 - 48) }
  }
}
