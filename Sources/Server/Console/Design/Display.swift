// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import HTTP
import HTTPTypes
import Hummingbird
import Scheduling

/// How the reader of a page wants it: the language and the colours that they chose, else those of their browser.
package struct Display: Sendable {
  /// Keeps the choice, on every page of this server.
  static let cookieName = "gatehouse_display"

  enum Theme: String, CaseIterable, Sendable { case light, dark }

  /// Of the request that is answered.
  @TaskLocal package static var current = Display()

  private var acceptLanguage: String?
  /// What was chosen: nil is what the browser asks for.
  private(set) var chosen: Language?
  private(set) var theme: Theme?
  /// The page's address, for those who return to it; nil for an answer to a form.
  private(set) var path: String?
  /// By which times are written; nil for UTC.
  var clock: LocalTime?
  /// Whether a browser asks for a page to show.
  private(set) var asksForPage = false

  init() {}

  /// - Parameter isSecure: whether pages are reached over HTTPS only.
  init(_ request: Request, isSecure: Bool) {
    // Headers that take long to compare are refused further in, on a page that is written by what is read here.
    func field(_ name: HTTPField.Name) -> String? {
      request.headers[name].flatMap { StreamSafeText.isSafe($0) ? $0 : nil }
    }
    acceptLanguage = field(.acceptLanguage)
    // Cookies are read only where there may be one of ours.
    if field(.cookie)?.contains(Self.cookieName) == true {
      self.read(request.cookie(Self.cookieName, isSecure: isSecure) ?? "")
    }
    path = request.method == .get ? request.uri.description : nil
    asksForPage = request.method == .get && field(.accept)?.contains("text/html") == true
  }

  /// As the cookie has it: `fr.dark`, each part may be missing.
  private mutating func read(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { return }
    (chosen, theme) = (Language(rawValue: parts[0]), Theme(rawValue: parts[1]))
  }

  package var language: Language { chosen ?? Language(accepting: acceptLanguage) }

  /// The same in another language, for pages that are written in one only.
  func `in`(_ language: Language) -> Display {
    var display = self
    display.chosen = language
    return display
  }

  /// - Parameters: nil leaves the choice as it is; an empty text leaves it to the browser.
  func choosing(language: String?, theme: String?) -> Display {
    var display = self
    if let language { display.chosen = Language(rawValue: language) }
    if let theme { display.theme = Theme(rawValue: theme) }
    return display
  }

  func cookie(isSecure: Bool) -> Cookie {
    HostCookie.make(
      Self.cookieName, "\(chosen?.rawValue ?? "").\(theme?.rawValue ?? "")", maxAge: 365 * 24 * 3600, path: "/",
      isSecure: isSecure, sameSite: .lax)
  }
}

/// Tells pages, those about problems too, how their reader wants them.
package struct DisplayMiddleware: RouterMiddleware {
  package typealias Context = PublicContext

  private let isSecure: Bool

  /// - Parameter isSecure: whether pages are reached over HTTPS only.
  package init(isSecure: Bool) { self.isSecure = isSecure }

  package func handle(
    _ request: Request, context: PublicContext, next: (Request, PublicContext) async throws -> Response
  ) async throws -> Response {
    try await Display.$current.withValue(Display(request, isSecure: isSecure)) { try await next(request, context) }
  }
}
