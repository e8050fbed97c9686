import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// One keep-alive HTTP/1.1 connection to this machine that blocks its thread: the cheapest client there is, because its
/// cost is in what is measured. Speaks only what our own server answers: a status, headers and a body of stated length.
final class LoopbackConnection {
  struct Answer {
    let status: Int
    let headers: String
    let body: ArraySlice<UInt8>

    /// - Parameter name: in lower case.
    func header(_ name: String) -> String? {
      headers.split(separator: "\r\n").first { $0.lowercased().hasPrefix("\(name):") }
        .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }
  }

  enum Failure: Error { case notConnected, closed, notHTTP, answerTooLarge }

  static let answerBytesMax = 1 << 20

  private let socket: Int32
  private var buffer: [UInt8] = Array(repeating: 0, count: 1 << 16)

  init(port: Int) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { throw Failure.notConnected }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else {
      close(socket)
      throw Failure.notConnected
    }
    var on: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit { close(socket) }

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
      let before = max(0, filled - 3)
      filled += try fill(from: filled)
      end = headEnd(from: before, to: filled)
    }
    let bodyStart = (end ?? 0) + 4
    let head = String(decoding: buffer[..<(end ?? 0)], as: UTF8.self)
    guard head.hasPrefix("HTTP/1.1 "), let status = Int(head.dropFirst(9).prefix(3)) else { throw Failure.notHTTP }
    let length = Self.contentLength(head)
    guard length <= Self.answerBytesMax else { throw Failure.answerTooLarge }
    while filled < bodyStart + length { filled += try fill(from: filled) }
    return Answer(status: status, headers: head, body: buffer[bodyStart..<(bodyStart + length)])
  }

  private func fill(from start: Int) throws -> Int {
    if start == buffer.count { buffer += Array(repeating: 0, count: buffer.count) }
    let count = buffer[start...].withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
    guard count > 0 else { throw Failure.closed }
    return count
  }

  private func headEnd(from start: Int, to end: Int) -> Int? {
    guard end - start >= 4 else { return nil }
    return (start...(end - 4)).first {
      buffer[$0] == 13 && buffer[$0 + 1] == 10 && buffer[$0 + 2] == 13 && buffer[$0 + 3] == 10
    }
  }

  private static func contentLength(_ head: String) -> Int {
    let line = head.split(separator: "\r\n").first { $0.prefix(15).lowercased() == "content-length:" }
    return line.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
  }
}
