// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import OpenAPISupport
import PowerAuthHTTP
import Synchronization

/// How what went over the wire in a test differs from the API's description.
final class Description: Sendable {

  private let noted = Mutex<Set<String>>([])

  /// Each difference once, as `METHOD path status: difference`.
  var faults: [String] { noted.withLock { $0.sorted() } }

  /// The answer is one that the document names, shaped as it says; what was accepted was asked for as it says.
  func check(_ path: String, _ method: HTTPRequest.Method, _ headers: HTTPFields, _ body: Data, _ answer: Answer) {
    let isDescribed = [PowerAuthTestApp.base + "/pa/v3/", BackEndDialect.base + "/"].contains { path.hasPrefix($0) }
    // Paths and methods that do not exist.
    guard isDescribed, answer.status != 405, answer.status != 404 || path.hasPrefix(BackEndDialect.base) else { return }
    var faults: [String] = []
    do {
      let document = try OpenAPIDocument.published.get()
      faults += document.validate(
        response: (answer.status, answer.headers[.contentType], answer.body), headers: Self.dictionary(answer.headers),
        method: method.rawValue, path: path
      ).map(\.description)
      // A signed query is free, and the time is told whatever was asked.
      if answer.status < 300, !path.contains("?"), !path.hasSuffix("/pa/v3/status") {
        faults += document.validate(
          request: (headers[.contentType], body), headers: Self.dictionary(headers), method: method.rawValue, path: path
        ).map { "request \($0)" }
      }
    } catch { faults.append("the document: \(error)") }
    let lines = faults.map { "\(method.rawValue) \(path) \(answer.status): \($0)" }
    noted.withLock { $0.formUnion(lines) }
  }

  private static func dictionary(_ fields: HTTPFields) -> [String: String] {
    Dictionary(fields.map { ($0.name.rawName, $0.value) }) { first, _ in first }
  }
}
