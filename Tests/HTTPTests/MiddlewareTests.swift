// SPDX-License-Identifier: Apache-2.0

import Foundation
@testable import HTTP
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kit
import Logging
import Storage
import Testing
import TestSupport

@Suite("HTTP: what every answer is like", .storeless)
struct MiddlewareTests {
  @Test(
    "an answer carries the headers that forbid keeping, sniffing, framing and holding it",
    arguments: ["/fine", "/problem", "/crash", "/nowhere"])
  func headers(path: String) async throws {
    let response = try await get(path)
    #expect(response.headers[.cacheControl] == "no-store")
    #expect(response.headers[.xContentTypeOptions] == "nosniff")
    #expect(response.headers[HTTPField.Name("Referrer-Policy")!] == "no-referrer")
    #expect(response.headers[HTTPField.Name("Cross-Origin-Opener-Policy")!] == "same-origin")
    #expect(response.headers[.permissionsPolicy] == "camera=(), microphone=()")
    #expect(
      response.headers[.contentSecurityPolicy]
        == "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
  }

  @Test(
    "no answer lets a page of another site read it, whatever origin asks",
    arguments: ["/fine", "/page", "/problem", "/nowhere"], [HTTPRequest.Method.get, .options])
  func otherOrigins(path: String, method: HTTPRequest.Method) async throws {
    let headers: HTTPFields = [.origin: "https://evil.example", .accessControlRequestMethod: "POST"]
    let response = try await testApplication().test(.router) { client in
      try await client.executeRequest(uri: path, method: method, headers: headers, body: nil)
    }
    #expect(response.headers.allSatisfy { !$0.name.canonicalName.hasPrefix("access-control-") })
  }

  @Test("a page keeps the content policy that it sets itself")
  func ownPolicy() async throws {
    #expect(try await get("/page").headers[.contentSecurityPolicy] == "default-src 'self'")
  }

  @Test(
    "a caller's correlation id comes back as it was sent when it is a UUID",
    arguments: ["0195A1B2-AAAA-4BBB-8CCC-0000000000FF", "0195a1b2-aaaa-4bbb-8ccc-0000000000ff"])
  func echoed(id: String) async throws {
    for path in ["/fine", "/problem", "/nowhere"] {
      #expect(try await get(path, correlation: id).headers[.correlation] == id)
    }
  }

  @Test(
    "anything else is replaced by an id of ours",
    arguments: [
      nil, "", "x", "hunter2", "0195a1b2-aaaa-4bbb-8ccc-0000000000f", "0195a1b2-aaaa-4bbb-8ccc-0000000000fff",
      "0195a1b2-aaaa-4bbb-8ccc-0000000000fg", "0195a1b2xaaaa-4bbb-8ccc-0000000000ff",
      "{0195a1b2aaaa4bbb8ccc0000000000ff}--",
    ])
  func replaced(sent: String?) async throws {
    let id = try #require(try await get("/fine", correlation: sent).headers[.correlation])
    #expect(id != sent && UUID(uuidString: id) != nil)
  }

  @Test("a problem names the request and its path, without the query")
  func named() async throws {
    let response = try await get("/problem?phone=123")
    let text = String(buffer: response.body)
    #expect(response.status == .conflict)
    #expect(text == "stale /problem \(response.headers[.correlation] ?? "")")
  }

  @Test("an unexpected error says nothing of itself")
  func leaksNothing() async throws {
    let response = try await get("/crash")
    #expect(response.status == .internalServerError)
    let everything = String(buffer: response.body) + response.headers.map(\.value).joined()
    #expect(!everything.contains("hunter2") && !everything.contains("Secret"))
    #expect(String(buffer: response.body).hasPrefix("internal /crash"))
  }

  @Test("a text that no store keeps is an id that is not there in an address, and a wrong member in a body")
  func nul() async throws {
    let inPath = try await get("/kept?id=a%00b")
    #expect(inPath.status == .notFound && String(buffer: inPath.body).hasPrefix("not-found /kept"))
    let inBody = try await send("/kept", .post, body: ByteBuffer(string: "a\0b"))
    #expect(inBody.status == .badRequest && String(buffer: inBody.body).hasPrefix("invalid-json /kept"))
    #expect(try await send("/kept", .post, body: ByteBuffer(string: "ab")).status == .ok)
  }

  @Test("no route, no such method, a body too large and a bad parameter are problems of the system's own form")
  func routing() async throws {
    let missing = try await get("/nowhere")
    #expect(missing.status == .notFound && String(buffer: missing.body).hasPrefix("not-found /nowhere"))
    let large = try await send("/body", .post, body: ByteBuffer(repeating: 1, count: 11))
    #expect(large.status == .contentTooLarge && String(buffer: large.body).hasPrefix("payload-too-large"))
    let teapot = try await get("/teapot")
    #expect(teapot.status == .badRequest && String(buffer: teapot.body).hasPrefix("invalid-json"))
  }

  @Test(
    "a path that has other methods says which, whatever its parameters are; an unknown path has none",
    arguments: [
      ("/fine", "POST", "GET, HEAD"), ("/body", "GET", "POST"), ("/body", "DELETE", "POST"),
      ("/two/abc", "PUT", "GET, HEAD, POST"), ("/two/abc/", "PUT", "GET, HEAD, POST"),
      ("/two/%7B%7D", "PUT", "GET, HEAD, POST"), ("/fine", "TRACE", "GET, HEAD"), ("/body", "TRACE", "POST"),
    ])
  func methods(path: String, method: String, allowed: String) async throws {
    let response = try await send(path, try #require(HTTPRequest.Method(rawValue: method)))
    #expect(response.status == .methodNotAllowed && String(buffer: response.body).hasPrefix("method-not-allowed"))
    #expect(response.headers[.allow] == allowed)
    for none in ["/two", "/two/a/b", "/nowhere", "/", "/Fine"] {
      let missing = try await send(none, try #require(HTTPRequest.Method(rawValue: method)))
      #expect(missing.status == .notFound && missing.headers[.allow] == nil, "\(none)")
    }
  }

  @Test(
    "HEAD answers what GET answers, status and headers, without the body",
    arguments: ["/fine", "/page", "/problem", "/nowhere", "/body"])
  func head(path: String) async throws {
    let (get, head) = (try await get(path), try await send(path, .head))
    #expect(head.status == get.status && head.body.readableBytes == 0)
    for name in [HTTPField.Name.contentType, .contentLength, .cacheControl, .contentSecurityPolicy, .allow] {
      #expect(head.headers[name] == get.headers[name], "\(name)")
    }
  }

  @Test("something that is not found on a path that is there is not found")
  func notFoundWithin() async throws {
    let response = try await get("/lost")
    #expect(response.status == .notFound && response.headers[.allow] == nil)
  }

  @Test("an answer says what is left of the caller's limits, and a refusal by one of them that nothing is")
  func limits() async throws {
    let left = try await get("/limited/2")
    #expect(left.headers[Self.policy] == #""a.minute";q=3;w=60, "b.hour";q=9;w=3600"#)
    #expect(left.headers[Self.limit] == #""a.minute";r=2;t=20, "b.hour";r=8;t=3000"#)
    let refused = try await get("/limited/0")
    #expect(refused.status == .tooManyRequests)
    #expect(refused.headers[Self.limit] == #""a.minute";r=0;t=20, "b.hour";r=8;t=3000"#)
    let free = try await get("/fine")
    #expect(free.headers[Self.limit] == nil && free.headers[Self.policy] == nil)
  }

  private static let policy = HTTPField.Name("RateLimit-Policy")!
  private static let limit = HTTPField.Name("RateLimit")!

  @Test("a cancelled request is answered as unavailable")
  func cancelled() async throws {
    #expect(try await get("/cancelled").status == .serviceUnavailable)
  }

  @Test(
    "a store that is away, or that is busy with another caller, is a pause for the caller and not an error of ours",
    arguments: 0..<unavailable.count)
  func unavailableStores(number: Int) async throws {
    let response = try await get("/away/\(number)")
    #expect(response.status == .serviceUnavailable && String(buffer: response.body).hasPrefix("unavailable /away/"))
    #expect(!String(buffer: response.body).contains("hunter2"))
  }

  @Test("how long to wait is said of every store that is away")
  func retryAfter() {
    for error in unavailable {
      let problem = ProblemMiddleware.problem(error, logger: Logger(label: "test"))
      #expect(problem.category == .unavailable && problem.retryAfterSeconds == 1, "\(error)")
    }
    #expect(ProblemMiddleware.problem(BlobError.badKey, logger: Logger(label: "test")) == .unexpected)
  }

  @Test("an address or a header with more than thirty combining marks in a row is refused, escaped or not")
  func marks() async throws {
    func status(_ count: Int, _ place: (String) -> (uri: String, headers: HTTPFields)) async throws -> Int {
      let (uri, headers) = place(String(repeating: "\u{301}", count: count))
      return try await testApplication().test(.router) { client in
        try await client.executeRequest(uri: uri, method: .get, headers: headers, body: nil).status.code
      }
    }
    func escaped(_ text: String) -> String { text.utf8.map { "%" + [$0].hex }.joined() }
    let places: [(String) -> (uri: String, headers: HTTPFields)] = [
      { ("/fine?q=a\(escaped($0))", [:]) }, { ("/fine?\(escaped($0))=1", [:]) },
      { ("/fine", [.userAgent: "a\($0)"]) }, { ("/fine", [.cookie: "a=\($0)"]) },
    ]
    for place in places {
      #expect(try await status(30, place) == 200)
      #expect(try await status(31, place) == 400)
    }
    #expect(try await status(31) { ("/two/\(escaped($0))", [:]) } == 400)
    #expect(try await status(31) { ("/nowhere/\(escaped($0))", [:]) } == 400)
    // What is no escape stands for itself.
    #expect(try await status(0) { _ in ("/fine?q=%&r=%4", [:]) } == 200)
  }

  @Test("every category of problem has its own status of 4xx or 5xx")
  func statuses() {
    let codes = Problem.Category.allCases.map { Problem($0, "x", "x").status.code }
    #expect(Set(codes).count == codes.count)
    #expect(codes.allSatisfy { 400..<600 ~= $0 })
    #expect(Problem(.locked, "x", "x").status.code == 423)
    #expect(Problem(.unprocessable, "x", "x").status.code == 422)
    #expect(Problem(.internal, "x", "x").status.code == 500)
  }

  private func get(_ path: String, correlation: String? = nil) async throws -> TestResponse {
    try await send(path, .get, correlation: correlation)
  }

  private func send(
    _ path: String, _ method: HTTPRequest.Method, correlation: String? = nil, body: ByteBuffer? = nil
  ) async throws -> TestResponse {
    var headers = HTTPFields()
    if let correlation { headers[.correlation] = correlation }
    return try await testApplication().test(.router) { [headers] client in
      try await client.executeRequest(uri: path, method: method, headers: headers, body: body)
    }
  }
}

extension HTTPField.Name {
  fileprivate static let correlation = HTTPField.Name("x-correlation-id")!
}

/// Problems as one line of text: the smallest dialect there is.
private struct PlainDialect: Dialect {
  func response(for problem: Problem, path: String, correlationID: String) -> Response {
    Response(
      status: problem.status, headers: [.contentType: "text/plain"],
      body: .init(byteBuffer: ByteBuffer(string: "\(problem.code) \(path) \(correlationID)")))
  }
}

/// What the stores throw when they cannot be had for the moment.
private let unavailable: [any Error] = [
  SQLError.busy, SQLError.locked, SQLError.outdated, SQLError.uncertain, SQLError.unreachable("hunter2"),
  BlobError.unavailable, BlobError.damaged, BlobError.replaced, BlobError.refused(code: "CertificateRefused"),
]

private struct SecretError: Error, CustomStringConvertible { let description = "hunter2" }

/// Routes that go wrong in every way, behind the whole chain.
private func testApplication() -> some ApplicationProtocol {
  let world = TestWorld().world
  let router = Router(context: PublicContext.self, options: .autoGenerateHeadEndpoints)
  let methods = RouteMethods()
  router.addMiddleware {
    AnswerHeadersMiddleware()
    CorrelationMiddleware(world: world)
    RequestLogMiddleware(world: world)
    RateLimitMiddleware()
    ProblemMiddleware(dialect: PlainDialect(), methods: methods)
    TextMiddleware()
  }
  router.get("fine") { _, _ in "fine" }
  router.get("page") { _, _ in
    Response(status: .ok, headers: [.contentSecurityPolicy: "default-src 'self'"], body: .init())
  }
  router.get("problem") { _, _ -> String in throw Problem(.conflict, "stale", "It changed meanwhile.") }
  router.get("crash") { _, _ -> String in throw SecretError() }
  router.get("away/{number}") { _, context -> String in
    throw unavailable[try context.parameters.require("number", as: Int.self)]
  }
  // As a store does with an id that it cannot ask for.
  for method in [HTTPRequest.Method.get, .post] {
    router.on("kept", method: method) { request, _ -> String in
      let (id, body) = (request.uri.queryParameters["id"] ?? "", try await RequestContent(request, limit: 100).bytes)
      guard !String(id).holdsNUL, !body.contains(0) else { throw SQLError.textHoldsNUL }
      return "kept"
    }
  }
  router.get("cancelled") { _, _ -> String in throw CancellationError() }
  router.get("teapot") { _, _ -> String in throw HTTPError(.init(code: 418), message: "hunter2") }
  router.get("two/{thing}") { _, _ in "one" }
  router.post("two/{thing}") { _, _ in "two" }
  router.get("lost") { _, _ -> String in throw Problem.notFound }
  router.get("limited/{left}") { _, context -> String in
    let left = try context.parameters.require("left", as: Int.self)
    RateUsage.current?.note(
      .init(policy: RateLimit("b.hour", 9, per: .hours(1)), remaining: 8, resetSeconds: 3000, isExceeded: false))
    let usage = RateLimit.Usage(
      policy: RateLimit("a.minute", 3, per: .minutes(1)), remaining: left, resetSeconds: 20, isExceeded: left == 0)
    if left == 0 { throw Problem.rateLimited(usage) }
    RateUsage.current?.note(usage)
    return "served"
  }
  router.post("body") { request, _ in
    String(try await RequestContent(request, limit: 10).bytes.count)
  }
  methods.learn(router, answersHead: true)
  return Application(router: router)
}
