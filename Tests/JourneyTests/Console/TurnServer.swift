// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// A real TURN server, Debian's coturn, on the loopback interface of this machine.
struct TurnServer {
  struct DidNotStart: Error {}

  static let isInstalled = PythonProgram.succeeds("import shutil; assert shutil.which('turnserver')")
  static let missing = "turnserver is missing: scripts/bootstrap installs coturn"

  let secret: String
  /// As browsers get it.
  let address: String
  private let server: PythonProgram

  /// It ends with the standard input, hence with this process, however that ends.
  private static let text = #"""
    import ctypes, os, socket, subprocess, sys, tempfile
    with socket.socket(type=socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        turn = subprocess.Popen(
            ["turnserver", "-n", "--no-cli", "--no-tls", "--no-dtls", "--listening-ip=127.0.0.1",
             "--relay-ip=127.0.0.1", "--allow-loopback-peers", f"--listening-port={port}", "--use-auth-secret",
             "--realm=test", f"--static-auth-secret={sys.argv[1]}", f"--log-file={folder}/log",
             f"--pidfile={folder}/pid", f"--userdb={folder}/db"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=lambda: ctypes.CDLL(None).prctl(1, 9))
        # It answers a binding request (RFC 8489) as soon as it is there.
        with socket.socket(type=socket.SOCK_DGRAM) as asker:
            asker.settimeout(0.1)
            for _ in range(200):
                try:
                    asker.sendto(bytes.fromhex("000100002112a442") + os.urandom(12), ("127.0.0.1", port))
                    asker.recv(1500)
                    print(port, flush=True)
                    break
                except OSError:
                    pass
        sys.stdin.read()
        turn.kill()
        turn.wait()
    """#

  init(secret: String) throws {
    server = try PythonProgram(Self.text, arguments: [secret])
    guard let port = Int(server.line()) else { throw DidNotStart() }
    (self.secret, address) = (secret, "turn:127.0.0.1:\(port)?transport=udp")
  }

  func stop() { server.stop() }
}
