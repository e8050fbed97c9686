// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A submission server of a few lines: enough of RFC 5321 for one client, with faults to order.
struct SMTPTestServer: Sendable {
  struct Behaviour: Sendable {
    var greeting: String? = "220 test ESMTP"
    /// Base64 of NUL user NUL password, when it wants AUTH PLAIN.
    var plainLogin: String?
    /// Where TLS begins after STARTTLS; not offered when nil.
    var tls: OpenSSLServer?
    var recipientReply = "250 ok"
    var dataReply = "250 taken"
  }

  let transcript = Transcript()
  let server: LoopbackServer

  init(_ behaviour: Behaviour = Behaviour()) throws {
    server = try LoopbackServer { [transcript] connection in
      guard let greeting = behaviour.greeting else {
        // Says nothing until the client has had enough.
        _ = connection.line()
        return
      }
      connection.say(greeting)
      Self.converse(connection, behaviour, transcript)
    }
  }

  var port: Int { server.port }

  /// The message of the last DATA, dots still doubled.
  var data: String { transcript.lines.last { $0.hasPrefix("DATA\n") }.map { String($0.dropFirst(5)) } ?? "" }

  static func converse(_ connection: TestConnection, _ behaviour: Behaviour, _ transcript: Transcript) {
    var isIn = behaviour.plainLogin == nil
    while let line = connection.line() {
      transcript.note(line)
      let verb = line.prefix { $0 != " " }.uppercased()
      switch verb {
      case "EHLO":
        connection.say("250-test")
        if behaviour.tls != nil { connection.say("250-STARTTLS") }
        if behaviour.plainLogin != nil { connection.say("250-AUTH PLAIN") }
        connection.say("250 8BITMIME")
      case "STARTTLS":
        guard let tls = behaviour.tls else { return }
        connection.say("220 go")
        var inside = behaviour
        inside.tls = nil
        tls.serve(through: connection, inside, transcript)
        return
      case "AUTH":
        connection.say("334 ")
        isIn = connection.line() == behaviour.plainLogin
        transcript.note(isIn ? "(login right)" : "(login wrong)")
        connection.say(isIn ? "235 in" : "535 no")
      case "MAIL": connection.say(isIn ? "250 ok" : "530 log in first")
      case "RCPT": connection.say(behaviour.recipientReply)
      case "DATA":
        connection.say("354 go on")
        var text = "DATA\n"
        while let line = connection.line(), line != "." { text += line + "\n" }
        transcript.note(text)
        connection.say(behaviour.dataReply)
      case "QUIT":
        connection.say("221 bye")
        return
      default: connection.say("502 what")
      }
    }
  }
}
