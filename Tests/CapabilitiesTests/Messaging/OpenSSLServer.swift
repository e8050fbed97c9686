// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A TLS endpoint made of the `openssl` command, with a certificate of its own: what it decrypts comes out of its
/// standard output, what goes into its standard input is encrypted.
final class OpenSSLServer: Sendable {
  static let path = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first(where: FileManager.default.isExecutableFile)

  /// PEM of the certificate, for the client to trust.
  let certificate: String
  let port: Int
  private let folder: TestFolder
  private let process: ChildProcess
  private let input: FileHandle
  private let output: FileHandle

  init() throws {
    guard let path = Self.path else { throw POSIXError(.ENOENT) }
    folder = try TestFolder()
    certificate = folder.file("certificate.pem")
    let key = folder.file("key.pem")
    let maker = ChildProcess()
    maker.executableURL = URL(filePath: path)
    maker.arguments = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
      "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
    ]
    maker.standardError = FileHandle.nullDevice
    try maker.run()
    maker.waitUntilExit()

    process = ChildProcess()
    process.executableURL = URL(filePath: path)
    process.arguments = ["s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key]
    let (toServer, fromServer) = (Pipe(), Pipe())
    process.standardInput = toServer
    process.standardOutput = fromServer
    process.standardError = FileHandle.nullDevice
    try process.run()
    input = toServer.fileHandleForWriting
    output = fromServer.fileHandleForReading
    // It prints `ACCEPT 127.0.0.1:port` once it listens.
    var text = ""
    while !text.contains("ACCEPT 127.0.0.1:") || !text.hasSuffix("\n") {
      let chunk = output.availableData
      guard !chunk.isEmpty else { throw POSIXError(.ECONNREFUSED) }
      text += String(decoding: chunk, as: UTF8.self)
    }
    let digits = text.split(separator: "ACCEPT 127.0.0.1:").last?.prefix { $0.isNumber }
    guard let port = digits.flatMap({ Int($0) }) else { throw POSIXError(.ECONNREFUSED) }
    self.port = port
  }

  /// Ends the command, and with its output the threads that read it.
  func stop() {
    // Started from a thread of the runtime's pool it inherits a mask that holds SIGTERM back.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// SMTP from the first byte inside TLS; returns when the client is gone.
  func serveImplicitly(_ behaviour: SMTPTestServer.Behaviour, _ transcript: Transcript) {
    let connection = connection()
    connection.say(behaviour.greeting ?? "")
    skipToGreeting(connection, behaviour, transcript)
  }

  /// Carries the bytes of a connection that has said STARTTLS into TLS and goes on inside.
  func serve(through outside: TestConnection, _ behaviour: SMTPTestServer.Behaviour, _ transcript: Transcript) {
    let tunnel = LoopbackServer.dial(port: port)
    let socket = outside.descriptor
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      Self.copy(from: socket, to: tunnel)
      shutdown(tunnel, Int32(SHUT_RDWR))
      isDone.signal()
    }
    Thread.detachNewThread { [self] in
      transcript.note("(inside TLS)")
      skipToGreeting(connection(), behaviour, transcript)
    }
    Self.copy(from: tunnel, to: socket)
    // No thread may still read a socket when it is closed: its number could be in use again by then.
    shutdown(socket, Int32(SHUT_RDWR))
    isDone.wait()
    close(tunnel)
  }

  private func connection() -> TestConnection {
    TestConnection(input: output.fileDescriptor, output: input.fileDescriptor)
  }

  /// The command prints its session before the first line of the client.
  private func skipToGreeting(
    _ connection: TestConnection, _ behaviour: SMTPTestServer.Behaviour, _ transcript: Transcript
  ) {
    while let line = connection.line() {
      guard line.hasPrefix("EHLO") else { continue }
      transcript.note(line)
      if behaviour.plainLogin != nil { connection.say("250-AUTH PLAIN") }
      connection.say("250 8BITMIME")
      return SMTPTestServer.converse(connection, behaviour, transcript)
    }
  }

  private static func copy(from source: Int32, to sink: Int32) {
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(source, &chunk, chunk.count)
      guard count > 0, write(sink, chunk, count) == count else { return }
    }
  }
}
