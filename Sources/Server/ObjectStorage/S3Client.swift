// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import Kit
import NIOCore
import NIOHTTP1
import NIOSSL
import ServiceLifecycle
import Synchronization

/// Signs, sends and repeats calls of one bucket. As a service it does nothing but close its connections at the end, so
/// it is listed before those who use it.
package final class S3Client: Sendable, Service {
  /// An error's body at most.
  private static let errorBytesMax = 64 * 1024

  let settings: S3Settings
  let limits: S3Limits
  let world: World
  private let signature: SignatureV4
  private let http: HTTPClient
  private let gate: RequestGate
  /// What the store's clock is ahead of ours, as far as it complained.
  private let skew = Mutex(Duration.zero)

  init(
    _ settings: S3Settings, _ credentials: S3Credentials, trust: S3Trust, limits: S3Limits, world: World,
    hosts: [String: String]
  ) {
    self.settings = settings
    self.limits = limits
    self.world = world
    signature = SignatureV4(credentials: credentials, region: settings.region)
    gate = RequestGate(width: limits.concurrencyMax)
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: .init(connect: .init(limits.connectMax), read: .init(limits.idleMax), write: .init(limits.idleMax)),
      decompression: .disabled)
    configuration.tlsConfiguration = trust.configuration
    configuration.httpVersion = .http1Only
    // Streams that are being read hold a connection outside of the gate.
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = limits.concurrencyMax * 2
    configuration.dnsOverride = hosts
    http = HTTPClient(configuration: configuration)
  }

  /// A command that ends without running services lets go of the client; its connections close behind it.
  deinit { http.shutdown { _ in } }

  package func run() async throws {
    // A cancellation ends the wait as well.
    try? await gracefulShutdown()
    try? await http.shutdown().get()
  }

  /// What keeps an object that is put from being deleted or overwritten, when the settings ask for it.
  var lockHeaders: [(name: String, value: String)] {
    settings.lockDays.map { days in
      [
        ("x-amz-object-lock-mode", "COMPLIANCE"),
        ("x-amz-object-lock-retain-until-date", (world.now() + .days(days)).rfc3339),
      ]
    } ?? []
  }

  // MARK: Calls

  /// The answer of a call that succeeded.
  /// - Throws: `BlobError`, `CancellationError`.
  func send(_ request: S3Request, answerBytesMax: Int = S3Element.bytesMax) async throws -> S3Answer {
    try await send(request) { try await Self.whole($0, upTo: answerBytesMax) }
  }

  /// The answer of a call that succeeded, made out by `receive`, which may throw `S3Failure` to have the call repeated.
  func send<Value: Sendable>(
    _ request: S3Request, _ receive: @escaping @Sendable (HTTPClientResponse) async throws -> Value
  ) async throws -> Value {
    let begun = world.now()
    var isSkewCorrected = false
    var attempt = 1
    while true {
      let failure: S3Failure
      do { return try await self.attempt(request, within: limits.attemptMax, receive) } catch let thrown as S3Failure {
        failure = thrown
      }
      if !isSkewCorrected, correctsSkew(by: failure) {
        isSkewCorrected = true
        continue
      }
      guard failure.isPassing, attempt < limits.attemptsMax, world.now() - begun < limits.requestMax else {
        throw failure.error
      }
      let wait = max(limits.backoff(after: attempt, world), min(failure.retryAfter ?? .zero, limits.backoffMax))
      try await Task.sleep(for: wait)
      attempt += 1
    }
  }

  /// Asks once, past the queue of the others: a node that has much to do is not for that reason unwell. A complaint about
  /// the clock is heeded and asked again, for it concerns every call that follows.
  /// - Throws: `BlobError`, `CancellationError`.
  func check(_ request: S3Request) async throws {
    @Sendable func ask() async throws { try await exchange(request, within: limits.checkMax) { _ in } }
    do {
      try await Deadline.run(limits.checkMax) { [self] in
        do { try await ask() } catch let failure as S3Failure where correctsSkew(by: failure) { try await ask() }
      }
    } catch let failure as S3Failure {
      throw failure.error
    } catch is Deadline.Exceeded {
      throw BlobError.unavailable
    }
  }

  /// Sets what the store's clock is ahead.
  /// - Returns: whether the failure was for that reason.
  private func correctsSkew(by failure: S3Failure) -> Bool {
    guard failure.isSkew, let date = failure.date else { return false }
    skew.withLock { $0 = date - world.now() }
    return true
  }

  /// One attempt, when it is this one's turn.
  /// - Throws: `S3Failure`, `CancellationError`, or the `BlobError` that `receive` throws.
  private func attempt<Value: Sendable>(
    _ request: S3Request, within limit: Duration,
    _ receive: @escaping @Sendable (HTTPClientResponse) async throws -> Value
  ) async throws -> Value {
    try await gate.run { try await exchange(request, within: limit, receive) }
  }

  private func exchange<Value: Sendable>(
    _ request: S3Request, within limit: Duration,
    _ receive: @escaping @Sendable (HTTPClientResponse) async throws -> Value
  ) async throws -> Value {
    do {
      return try await Deadline.run(limit) { [self] in
        let response = try await http.execute(signed(request), timeout: .init(limit))
        guard response.status.code / 100 == 2 else {
          throw S3Failure(try await Self.whole(response, upTo: Self.errorBytesMax))
        }
        return try await receive(response)
      }
    } catch let failure as S3Failure {
      throw failure
    } catch let error as BlobError {
      throw error
    } catch NIOSSLError.handshakeFailed(.sslError) {
      throw S3Failure.untrusted
    } catch is NIOSSLExtraError {
      throw S3Failure.untrusted
    } catch {
      // Whatever the connection died of, the cure is the same, and its text may name hosts.
      try Task.checkCancellation()
      throw S3Failure.disconnected
    }
  }

  static func whole(_ response: HTTPClientResponse, upTo bytesMax: Int) async throws -> S3Answer {
    var body = Data()
    for try await buffer in response.body {
      guard body.count + buffer.readableBytes <= bytesMax else { throw BlobError.tooLarge(bytesMax: bytesMax) }
      body.append(contentsOf: buffer.readableBytesView)
    }
    return S3Answer(status: Int(response.status.code), headers: response.headers, body: body)
  }

  private func signed(_ request: S3Request) -> HTTPClientRequest {
    let path = settings.path(request.key)
    let message = SignatureV4.Message(
      method: request.method.rawValue, path: path, query: request.query,
      headers: [("host", settings.host)] + request.headers, payloadDigest: request.digest.hex)
    let query = SignatureV4.query(request.query)
    var sent = HTTPClientRequest(
      url: "\(settings.scheme)://\(settings.host)\(path)\(query.isEmpty ? "" : "?" + query)")
    sent.method = request.method
    for header in signature.signed(message, at: world.now() + skew.withLock { $0 }) {
      sent.headers.replaceOrAdd(name: header.name, value: header.value)
    }
    if request.method == .PUT || request.method == .POST { sent.body = .bytes(ByteBuffer(bytes: request.body)) }
    return sent
  }
}

extension TimeAmount {
  fileprivate init(_ duration: Duration) { self = .milliseconds(duration.milliseconds) }
}
