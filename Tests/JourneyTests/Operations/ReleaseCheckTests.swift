// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(
  "Operations: the calls that a release program is played through before it is packaged", .storeless,
  .enabled(
    if: ServedProcess.program != nil && AttackScript.isReady, "\(ServedProcess.missing); \(AttackScript.missing)"))
struct ReleaseCheckTests {
  /// A server that lets a customer of Rubix register, and does what FAULT has at the first call with the token.
  private static let server = """
    import http.server, os, signal, sys

    class Handler(http.server.BaseHTTPRequestHandler):
        def reply(self, status, body=b"{}"):
            self.send_response(status)
            for name, value in (("content-length", str(len(body))), ("x-access-token", "a"), ("x-refresh-token", "r")):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):
            if self.headers["x-access-token"]:
                FAULT
            else:
                self.reply(200)

        def do_POST(self):
            self.rfile.read(int(self.headers["content-length"]))
            self.reply(201, b'{"id": "1"}')

    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[3])), Handler).serve_forever()
    """

  private func check(_ program: String) throws -> (status: Int32, said: String) {
    let run = try AttackScript.run([program], script: "check-release")
    return (run.status, run.said)
  }

  @Test("calls of who is signed in, in each system and on the console, hold on the program beside the tests")
  func holds() throws {
    let program = try #require(ServedProcess.program)
    let run = try check(program.path)
    #expect(run.status == 0 && run.said.contains("held."), "\(run.said)")
  }

  @Test(
    "a program that ends in a call of who is signed in, or answers it with 503, fails, and the call is named",
    arguments: [
      ("os.kill(os.getpid(), signal.SIGKILL)", "the server ended by SIGKILL"), ("self.reply(503)", "answered 503"),
    ])
  func fails(fault: String, named: String) throws {
    let folder = try TestFolder()
    let (server, program) = (folder.file("server.py"), folder.file("gatehouse"))
    try Data(Self.server.replacing("FAULT", with: fault).utf8).write(to: URL(filePath: server))
    // The commands of the operator are those of the program.
    let real = try #require(ServedProcess.program).path
    let text = """
      #!/bin/sh
      [ "$1" = serve ] || exec '\(real)' "$@"
      exec python3 '\(server)' "$@"

      """
    try Data(text.utf8).write(to: URL(filePath: program))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let run = try check(program)
    let call = "a customer of Rubix, at GET /api/v1/onboarding/agents/slots: "
    #expect(run.status == 1 && run.said.contains(call + named), "\(run.said)")
  }
}
