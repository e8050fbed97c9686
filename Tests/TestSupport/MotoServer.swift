// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A store that speaks S3 and is not ours: Python's moto, on a free port of this machine, until the tests end.
package final class MotoServer: Sendable {
  package struct DidNotStart: Error {}

  /// Whether signatures count.
  package enum Access: String, Sendable {
    /// Anybody may do anything.
    case open
    /// Only the user whose keys `accessKeyID` and `secretAccessKey` are, with a signature that moto computes as well.
    case guarded
  }

  package let port: Int
  package let accessKeyID: String
  package let secretAccessKey: String
  private let server: Mutex<PythonProgram>
  private let bucketCount = Mutex(0)

  /// Python with moto and its server's parts.
  package static let isInstalled = PythonProgram.succeeds(
    "import importlib.util as u; assert u.find_spec('moto') and u.find_spec('flask')")
  package static let missing = "python3 with moto[server] is missing: scripts/bootstrap installs it"

  package static let open = Result { try MotoServer(.open) }
  package static let guarded = Result { try MotoServer(.guarded) }

  /// It leaves when its standard input ends, hence with this process, however that ends.
  private static let text = """
    import os, sys
    if sys.argv[1] == "guarded": os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "0"
    # Under a name of its own, of which no part is a bucket's.
    if len(sys.argv) > 2: os.environ["S3_IGNORE_SUBDOMAIN_BUCKETNAME"] = "true"
    from moto.server import ThreadedMotoServer
    from moto.iam import iam_backends
    from moto.s3 import s3_backends
    account = "123456789012"
    iam, s3 = iam_backends[account]["aws"], s3_backends[account]["aws"]
    iam.create_user("us-east-1", "gatehouse")
    key = iam.create_access_key("gatehouse")
    policy = '{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}'
    iam.put_user_policy("gatehouse", "all", policy)
    if len(sys.argv) > 2:
        from functools import partial
        module = sys.modules[ThreadedMotoServer.__module__]
        module.make_server = partial(module.make_server, ssl_context=(sys.argv[2], sys.argv[3]))
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    print(server.get_host_and_port()[1], key.access_key_id, key.secret_access_key, flush=True)
    for line in sys.stdin:
        order, bucket = line.split()
        if order == "bucket": s3.create_bucket(bucket, "eu-central-1")
        if order == "versions": s3.put_bucket_versioning(bucket, "Enabled")
        if order == "lock": s3.head_bucket(bucket).object_lock_enabled = True
        uploads = s3.list_multipart_uploads(bucket)
        print(len(uploads[0] if isinstance(uploads, tuple) else uploads), flush=True)
    os._exit(0)
    """

  /// - Parameter identity: the certificate that it speaks TLS with; nil is plain HTTP.
  package init(_ access: Access, as identity: TestAuthority.Identity? = nil) throws {
    let server = try PythonProgram(
      Self.text, arguments: [access.rawValue] + (identity.map { [$0.certificate, $0.key] } ?? []), limit: 3600)
    let words = server.line().split(separator: " ").map(String.init)
    guard words.count == 3, let port = Int(words[0]) else { throw DidNotStart() }
    (self.port, accessKeyID, secretAccessKey) = (port, words[1], words[2])
    self.server = Mutex(server)
  }

  /// A new bucket of the region `eu-central-1`.
  package func makeBucket(withVersions: Bool = false, withLock: Bool = false) throws -> String {
    let number = bucketCount.withLock { count in
      count += 1
      return count
    }
    let bucket = "gatehouse-test-\(number)"
    try order("bucket \(bucket)")
    if withVersions { try order("versions \(bucket)") }
    if withLock { try order("lock \(bucket)") }
    return bucket
  }

  /// Uploads of parts that are neither completed nor aborted.
  package func uploadCount(_ bucket: String) throws -> Int { try order("uploads \(bucket)") }

  @discardableResult
  private func order(_ text: String) throws -> Int {
    try server.withLock { server in
      try server.say(text)
      guard let count = Int(server.line()) else { throw DidNotStart() }
      return count
    }
  }
}
