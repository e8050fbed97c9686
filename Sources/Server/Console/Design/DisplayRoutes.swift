// SPDX-License-Identifier: Apache-2.0

import HTTP
import HTTPTypes
import Hummingbird
import Kit

/// `/pages/display`: the language and the colours that a reader chooses. `/assets/…`: what pages are drawn with.
/// `/favicon.ico`: a browser asks for it beside an answer that is not a page, such as JSON. A refusal would count as
/// five requests of its network (docs/decisions/0248).
package struct DisplayRoutes: Sendable {
  private static let formMax = 16 * 1024
  private static let fetchSite = HTTPField.Name("Sec-Fetch-Site")!

  private let isSecure: Bool

  /// - Parameter isSecure: whether pages are reached over HTTPS only.
  package init(isSecure: Bool) { self.isSecure = isSecure }

  package func add(to root: RouterGroup<PublicContext>) {
    root.post("pages/display", use: choose)
    // The name changes with the content.
    let forGood = "public, max-age=31536000, immutable"
    root.get("assets/{file}") { _, context in Self.answer(try Self.asset(context), kept: forGood) }
    root.head("assets/{file}") { _, context in
      Self.answer(try Self.asset(context), kept: forGood).createHeadResponse()
    }
    root.get("favicon.ico") { _, _ in Self.answer(.icon, kept: "public, max-age=86400") }
  }

  /// By a form of our own pages: another site does not choose the language for their readers. Browsers tell from where
  /// a form comes where there is TLS and on this machine (Fetch Metadata §2.3). What tells nothing is let through.
  /// - Throws: `Problem` form-expired for a form of another site.
  @Sendable
  private func choose(_ request: Request, _ context: PublicContext) async throws -> Response {
    guard request.headers[Self.fetchSite].map({ ["same-origin", "none"].contains($0) }) ?? true else {
      throw Problem(.forbidden, "form-expired", "This form is not of now. Go back, load the page again and retry.")
    }
    let form = try FormFields(try await RequestContent(request, limit: Self.formMax))
    let display = Display.current.choosing(language: form["language"], theme: form["theme"])
    var response = Response(status: .seeOther, headers: [.location: Self.local(form["back"])])
    response.setCookie(display.cookie(isSecure: isSecure))
    return response
  }

  /// A path of this server: a form of another site must not lead to a third one by ours.
  static func local(_ path: String?) -> String {
    guard let path, path.first == "/", path.utf8.count <= 4096, !path.hasPrefix("//"),
      path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != 0x5c })
    else { return "/" }
    return path
  }

  /// - Throws: `Problem` not-found.
  private static func asset(_ context: PublicContext) throws -> Asset {
    let name = try context.parameters.require("file")
    guard let asset = Asset.all.first(where: { $0.name == name }) else { throw Problem.notFound }
    return asset
  }

  /// - Parameter kept: for how long a browser may keep it without asking.
  private static func answer(_ asset: Asset, kept: String) -> Response {
    let headers: HTTPFields = [
      .contentType: asset.type, .contentLength: "\(asset.bytes.count)", .cacheControl: kept,
      .eTag: "\"\(asset.name)\"",
    ]
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: asset.bytes)))
  }
}
