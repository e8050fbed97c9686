// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import Mustache
import Scheduling
import Synchronization

/// A page: a struct whose template sees its stored properties, its frame and the words of its language, and computes
/// nothing.
package protocol Page {
  /// The template that stands beside the page's file. It fills the blocks of the frame: `{{<frame}}`.
  static var template: [UInt8] { get }
  /// Templates that it is made with beside the frame, by the names it calls them by.
  static var parts: [String: [UInt8]] { get }
  /// Scripts of ours that it runs.
  static var scripts: [Asset] { get }
  /// Where its pictures may come from beside this server, whose icon each page has; nil for nowhere else.
  static var pictures: String? { get }
  /// What the browser may load, run and send.
  static var policy: String { get }
  /// The one language that it is written in; nil for a page that is in all.
  static var onlyLanguage: Language? { get }
  static var brand: Brand { get }
  /// By which its times are written that name no clock themselves; nil for UTC.
  var clock: LocalTime? { get }
}

/// Whose pages these are: those of the server, of staff, or of the demonstration bank.
package enum Brand: Sendable { case product, desk, bank }

extension Page {
  package static var parts: [String: [UInt8]] { [:] }
  package static var scripts: [Asset] { [] }
  package static var pictures: String? { nil }
  package static var onlyLanguage: Language? { nil }
  package static var brand: Brand { .product }
  package var clock: LocalTime? { nil }

  /// Nothing but what is ours: no inline style, no inline script, nothing of third parties (CSP Level 3).
  package static var policy: String { strictPolicy + "; form-action 'self'" }

  package static var strictPolicy: String {
    var rules = ["default-src 'none'", "style-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"]
    if !scripts.isEmpty { rules += ["script-src 'self'", "connect-src 'self'"] }
    rules.append(["img-src 'self'", pictures].compactMap(\.self).joined(separator: " "))
    return rules.joined(separator: "; ")
  }

  package func response(status: HTTPResponse.Status = .ok) throws -> Response {
    Response(
      status: status,
      headers: [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: Self.policy],
      body: ResponseBody(byteBuffer: ByteBuffer(string: try html())))
  }

  func html() throws -> String {
    var display = Self.onlyLanguage.map(Display.current.in) ?? .current
    display.clock = clock
    let frame = Frame(Self.brand, scripts: Self.scripts, isTranslated: Self.onlyLanguage == nil, for: display)
    let library = try Templates.library(of: Self.self)
    return Display.$current.withValue(display) { library.render(Framed(self, frame), withTemplate: "page") ?? "" }
  }
}

/// Templates that were parsed, by the pages that use them.
private enum Templates {
  private static let parsed = Mutex<[ObjectIdentifier: MustacheLibrary]>([:])

  static func library(of page: any Page.Type) throws -> MustacheLibrary {
    let id = ObjectIdentifier(page)
    if let library = parsed.withLock({ $0[id] }) { return library }
    var sources = page.parts
    (sources["page"], sources["frame"]) = (page.template, PackageResources.Frame_mustache)
    let library = MustacheLibrary(
      templates: try sources.mapValues { try MustacheTemplate(string: String(decoding: $0, as: UTF8.self)) })
    parsed.withLock { $0[id] = library }
    return library
  }
}
