// SPDX-License-Identifier: Apache-2.0

import APIDescription
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Synchronization

extension OpenAPIDocument {
  /// What the server publishes at `/openapi.json`.
  package static let published = Result { try OpenAPIDocument(json: APIDocument.json.get()) }
}

/// The answer to a call of a test.
package struct CallAnswer: Sendable {
  package let status: Int
  package let body: Data
  package let headers: HTTPFields

  package var json: String { String(decoding: body, as: UTF8.self) }
}

/// The calls of one test, and how they differ from the API's description.
package final class DescribedCalls: Sendable {
  package struct Request: Sendable {
    package let method: HTTPRequest.Method
    package var path: String
    let fields: HTTPFields
    let body: Data

    /// - Parameter isTyped: the body is JSON unless the headers say otherwise.
    package init(
      _ method: HTTPRequest.Method, _ path: String, _ headers: [String: String], _ body: Data, isTyped: Bool
    ) throws {
      var fields: HTTPFields = isTyped ? [.contentType: "application/json"] : [:]
      for (name, value) in headers {
        guard let name = HTTPField.Name(name) else { throw NotAName(text: name) }
        fields[name] = value
      }
      (self.method, self.path, self.fields, self.body) = (method, path, fields, body)
    }

    private struct NotAName: Error { let text: String }
  }

  private let noted = Mutex<Set<String>>([])

  package init() {}

  /// Each difference once, as `METHOD path status: difference`.
  package var differences: Set<String> { noted.withLock { $0 } }

  /// Makes a call and compares nothing.
  package func send(_ request: Request, over client: any TestClientProtocol) async throws -> CallAnswer {
    let response = try await client.execute(
      uri: request.path, method: request.method, headers: request.fields,
      body: request.body.isEmpty ? nil : ByteBuffer(bytes: request.body))
    return CallAnswer(
      status: response.status.code, body: Data(response.body.readableBytesView), headers: response.headers)
  }

  /// Holds an answer against the description.
  package func compare(_ answer: CallAnswer, to request: Request) throws {
    let found = try OpenAPIDocument.published.get().validate(
      response: (answer.status, answer.headers[.contentType], answer.body), headers: Self.texts(answer.headers),
      method: request.method.rawValue, path: request.path)
    noted.withLock { $0.formUnion(found.map { "\(request.method) \(request.path) \(answer.status): \($0)" }) }
  }

  /// Holds a request that the server took against the description.
  package func compare(_ request: Request) throws {
    let found = try OpenAPIDocument.published.get().validate(
      request: (request.fields[.contentType], request.body), headers: Self.texts(request.fields),
      method: request.method.rawValue, path: request.path)
    noted.withLock { $0.formUnion(found.map { "\(request.method) \(request.path): \($0)" }) }
  }

  private static func texts(_ fields: HTTPFields) -> [String: String] {
    Dictionary(fields.map { ($0.name.rawName, $0.value) }) { one, _ in one }
  }
}
