// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import Kit
import NIOCore
import TestSupport
import Testing

@testable import HTTP

@Suite("HTTP: the bytes of a request", .storeless)
struct RequestContentTests {
  private func request(_ bytes: Int, length: Int? = nil) -> Request {
    var head = HTTPRequest(method: .post, scheme: "http", authority: "test", path: "/")
    if let length { head.headerFields[.contentLength] = "\(length)" }
    return Request(head: head, body: Self.chunks(bytes))
  }

  @Test("a body up to the limit is read, one byte more is refused", arguments: [0, 1, 99, 100])
  func limit(bytes: Int) async throws {
    let body = try await RequestContent(request(bytes), limit: 100)
    #expect(body.bytes.count == bytes)
    await #expect(throws: Problem.payloadTooLarge) { try await RequestContent(request(101), limit: 100) }
  }

  @Test("a body that announces too much is refused before it is read")
  func announced() async {
    await #expect(throws: Problem.payloadTooLarge) { try await RequestContent(request(1, length: 101), limit: 100) }
  }

  @Test("a body that announces less than it sends is still refused at the limit")
  func lied() async {
    await #expect(throws: Problem.payloadTooLarge) { try await RequestContent(request(500, length: 10), limit: 100) }
  }

  @Test("a body may be large where its length says it, and where nothing says its length")
  func mayBeLarge() {
    for isStream in [false, true] {
      #expect(!RequestContent.mayBeLarge(request(1, length: BodyBudget.smallMax), isStream: isStream))
      #expect(RequestContent.mayBeLarge(request(1, length: BodyBudget.smallMax + 1), isStream: isStream))
      // Of HTTP/1 it has no body then, and of HTTP/2 nothing tells.
      #expect(RequestContent.mayBeLarge(request(1), isStream: isStream) == isStream)
    }
    var chunked = HTTPRequest(method: .post, scheme: "http", authority: "test", path: "/")
    chunked.headerFields[.transferEncoding] = "chunked"
    #expect(RequestContent.mayBeLarge(Request(head: chunked, body: Self.chunks(1)), isStream: false))
  }

  @Test("memory for a body that is announced as small is reserved as it comes, and for a larger one at once (issue 24)")
  func reserved() async throws {
    #expect(RequestContent.reserved(for: 100) == 100)
    // A client may announce this length and send one byte a second.
    #expect(RequestContent.reserved(for: BodyBudget.smallMax) == 4096)
    #expect(RequestContent.reserved(for: BodyBudget.smallMax + 1) == BodyBudget.smallMax + 1)
    let whole = try await RequestContent(request(BodyBudget.smallMax, length: BodyBudget.smallMax), limit: 1 << 20)
    #expect(whole.bytes.count == BodyBudget.smallMax)
  }

  @Test("the media type is read without its parameters and in lower case")
  func mediaType() {
    func type(_ text: String?) -> String? { RequestContent(bytes: Data(), contentType: text).mediaType }
    #expect(type("Application/JSON; charset=utf-8") == "application/json")
    #expect(type("multipart/form-data;boundary=x") == "multipart/form-data")
    #expect(type(nil) == nil)
  }

  @Test("an empty body reads as an empty object, and another media type is refused")
  func decode() throws {
    struct Wish: Decodable { var wish: String? }
    #expect(try RequestContent(bytes: Data()).decode(as: Wish.self).wish == nil)
    #expect(try RequestContent(bytes: Data(), contentType: nil).decode(as: Wish.self).wish == nil)
    #expect(try RequestContent(bytes: Data(#"{"wish":"x"}"#.utf8)).decode(as: Wish.self).wish == "x")
    for type in ["text/plain", "application/xml", "application/jsonx", "multipart/form-data; boundary=x"] {
      let body = RequestContent(bytes: Data("{}".utf8), contentType: type)
      #expect(problem { try body.decode(as: Wish.self) } == .unsupportedMedia)
    }
  }

  @Test("what is asked when a body is there keeps it from being handed on, also an empty one")
  func whenRead() async throws {
    let head = HTTPRequest(method: .post, scheme: "http", authority: "house.example", path: "/")
    for bytes in [100, 0] {
      let request = Request(head: head, body: Self.chunks(bytes))
      var refused: Problem?
      do {
        try await RequestContent.$whenRead.withValue(BodyCheck { throw Problem.notFound }) {
          _ = try await RequestContent(request, limit: 1000)
        }
      } catch let problem as Problem { refused = problem }
      #expect(refused == Problem.notFound)
    }
  }

  /// A streamed body in pieces, as it comes from a socket.
  private static func chunks(_ bytes: Int) -> RequestBody {
    let pieces = stride(from: 0, to: bytes, by: 40).map { ByteBuffer(repeating: 1, count: min(40, bytes - $0)) }
    return RequestBody(
      asyncSequence: AsyncStream<ByteBuffer> { continuation in
        for piece in pieces { continuation.yield(piece) }
        continuation.finish()
      })
  }
}
