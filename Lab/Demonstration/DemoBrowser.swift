// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp
import GatehouseTransport

/// A browser without scripts: cookies, links, forms, redirects to pages.
actor DemoBrowser {
  private static let redirectsMax = 3

  private let address: URL
  private let transport: HTTPTransport
  private(set) var cookie: String?
  private(set) var page = DemoPage(path: "", status: 0, html: "", location: nil)

  struct NoForm: Error, CustomStringConvertible {
    let description: String
  }

  init(address: URL, transport: HTTPTransport = .live()) {
    self.address = address
    self.transport = transport
  }

  /// - Parameter target: path and query, or a whole address.
  @discardableResult
  func open(_ target: String) async throws -> DemoPage { try await load("GET", target, nil) }

  /// Fills in a form of the page that is open and sends it.
  @discardableResult
  func submit(_ action: String, _ fields: [String: String] = [:]) async throws -> DemoPage {
    guard let hidden = page.hidden(action) else { throw NoForm(description: "the page has no form for \(action)") }
    return try await send(action, hidden.merging(fields) { _, typed in typed })
  }

  /// Sends a form whatever the page that is open has.
  @discardableResult
  func send(_ action: String, _ fields: [String: String]) async throws -> DemoPage {
    let pairs = fields.sorted { $0.key < $1.key }.map { "\(Self.escaped($0.key))=\(Self.escaped($0.value))" }
    return try await load("POST", action, Data(pairs.joined(separator: "&").utf8))
  }

  private func load(_ method: String, _ target: String, _ body: Data?, redirects: Int = 0) async throws -> DemoPage {
    guard let url = URL(string: target, relativeTo: address)?.absoluteURL else {
      throw NoForm(description: "an invalid address")
    }
    var headers: TransportHeaders = ["accept": "text/html"]
    if let cookie { headers["cookie"] = cookie }
    if body != nil { headers["content-type"] = "application/x-www-form-urlencoded" }
    let answer = try await transport.send(TransportRequest(method: method, url: url, headers: headers, body: body))
    if let set = answer.headers["set-cookie"] { cookie = set.split(separator: ";").first.map(String.init) }
    let location = answer.headers["location"]
    if let location, location.hasPrefix("/"), redirects < Self.redirectsMax {
      return try await load("GET", location, nil, redirects: redirects + 1)
    }
    page = DemoPage(
      path: url.path, status: answer.status, html: String(decoding: answer.body, as: UTF8.self), location: location)
    return page
  }

  private static let plain = CharacterSet(
    charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")

  private static func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }
}
