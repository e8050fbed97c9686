// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport

/// A real SMTP server, aiosmtpd, in a process of its own: it says as JSON how Python's own mail library reads what
/// arrives.
final class RealMailServer: Sendable {
  struct DidNotStart: Error {}

  /// One mail as it was received.
  struct Received: Decodable {
    let from: String
    let to: [String]
    let subject: String
    let author: String
    let recipients: String
    /// ISO 8601.
    let date: String
    let id: String
    let types: [String]
    let bodies: [String]
    let languages: String
    /// What the parser had to put up with.
    let defects: [String]
    let lineMax: Int
    /// How often each of the fields that signatures cover is there.
    let counts: [String: Int]
    /// What dkimpy says of its signature; nil when it was not asked.
    let isSigned: Bool?
  }

  static let isInstalled = PythonProgram.succeeds("import aiosmtpd")
  static let checksSignatures = PythonProgram.succeeds("import aiosmtpd, dkim")
  static let missing = "python3 with aiosmtpd is missing: scripts/bootstrap installs it"

  let port: Int
  private let server: Mutex<PythonProgram>

  /// It leaves when its standard input ends, hence with this process, however that ends.
  private static let text = #"""
    import asyncio, json, os, sys, threading
    from email import message_from_bytes
    from email.policy import SMTP as policy
    from aiosmtpd.smtp import SMTP

    class Handler:
        async def handle_DATA(self, server, session, envelope):
            raw = envelope.original_content
            mail = message_from_bytes(raw, policy=policy)
            parts = [part for part in mail.walk() if not part.is_multipart()]
            names = ["From", "To", "Subject", "Date", "Message-ID", "MIME-Version"]
            signed = None
            if len(sys.argv) > 1:
                import dkim
                signed = dkim.verify(raw, dnsfunc=lambda name, timeout=5: sys.argv[1].encode())
            print(json.dumps({
                "from": envelope.mail_from, "to": envelope.rcpt_tos, "subject": str(mail["Subject"]),
                "author": str(mail["From"]), "recipients": str(mail["To"]),
                "date": mail["Date"].datetime.isoformat(), "id": str(mail["Message-ID"]),
                "types": [part.get_content_type() for part in parts],
                "bodies": [part.get_content().replace("\r\n", "\n") for part in parts],
                "languages": str(mail["Content-Language"]),
                "defects": [str(defect) for part in mail.walk() for defect in part.defects],
                "lineMax": max(len(line) for line in raw.split(b"\r\n")),
                "isSigned": signed, "counts": {name: len(mail.get_all(name, [])) for name in names},
            }), flush=True)
            return "250 taken"

    async def main():
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: SMTP(Handler(), loop=loop), "127.0.0.1", 0)
        print(server.sockets[0].getsockname()[1], flush=True)
        threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
        await server.serve_forever()

    asyncio.run(main())
    """#

  /// - Parameter record: the DNS record of a DKIM key, to check signatures by; nil does not look at them.
  init(record: String? = nil) throws {
    let server = try PythonProgram(Self.text, arguments: record.map { [$0] } ?? [])
    guard let port = Int(server.line()) else { throw DidNotStart() }
    self.port = port
    self.server = Mutex(server)
  }

  /// The next mail, in the order of arrival.
  func next() throws -> Received {
    try server.withLock { try JSONDecoder().decode(Received.self, from: Data($0.line().utf8)) }
  }

  func stop() { server.withLock { $0.stop() } }
}
