// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A real HTTP/1.1 server on this machine for one exchange: reads a request, writes the given bytes, closes.
/// With no bytes it keeps silent until the client gives up. A server that is killed is one of `ending`.
struct LoopbackServer: Sendable {
  /// How a connection ends from the server's side.
  enum Ending: Sendable, CaseIterable {
    /// In order, as by a process that leaves.
    case closed
    /// With a reset, as by a process that is killed with bytes unread.
    case reset
    /// With a reset before the request was read.
    case resetUnread
  }

  let port: UInt16
  private let listener: Int32

  init() throws {
    (listener, port) = try Self.openListener()
  }

  /// Listens on a free port of this machine.
  static func openListener() throws -> (listener: Int32, port: UInt16) {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    // A client that never comes, or says no more, must not keep a test for ever. Connections have it from the listener.
    var patience = timeval(tv_sec: 300, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isOpen = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 4) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isOpen else { throw CocoaError(.fileNoSuchFile) }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  func url(_ path: String = "/") -> URL { URL(string: "http://127.0.0.1:\(port)\(path)")! }

  /// Serves one exchange on a thread of its own. The result is the request as text.
  func serve(_ answer: String?, ending: Ending = .closed) async -> String {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: exchange(answer, ending)) }
    }
  }

  private func exchange(_ answer: String?, _ ending: Ending) -> String {
    let connection = accept(listener, nil, nil)
    if ending != .closed {
      var hard = linger(l_onoff: 1, l_linger: 0)
      setsockopt(connection, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
    }
    defer {
      close(connection)
      close(listener)
    }
    var request = Data()
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    var isContinued = false
    while ending != .resetUnread, answer == nil || !isComplete(request) {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      request.append(contentsOf: buffer[..<count])
      if !isContinued, let head = head(of: request), head.lowercased().contains("expect: 100-continue") {
        isContinued = true
        write("HTTP/1.1 100 Continue\r\n\r\n", to: connection)
      }
    }
    if let answer { write(answer, to: connection) }
    return String(decoding: request, as: UTF8.self)
  }

  private func write(_ text: String, to connection: Int32) {
    _ = Array(text.utf8).withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
  }

  private func head(of request: Data) -> String? {
    request.range(of: Data("\r\n\r\n".utf8)).map { String(decoding: request[..<$0.lowerBound], as: UTF8.self) }
  }

  private func isComplete(_ request: Data) -> Bool {
    guard let end = request.range(of: Data("\r\n\r\n".utf8)), let head = head(of: request) else { return false }
    let lines = head.lowercased().components(separatedBy: "\r\n")
    let length = lines.first { $0.hasPrefix("content-length:") }.flatMap {
      Int($0.dropFirst("content-length:".count).trimmingCharacters(in: .whitespaces))
    }
    return request.count >= end.upperBound + (length ?? 0)
  }
}
