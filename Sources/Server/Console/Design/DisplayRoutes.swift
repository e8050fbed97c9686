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

  private let isSecure: Bool

  /// - Parameter isSecure: whether pages are reached over HTTPS only.
  package init(isSecure: Bool) { self.isSecure = isSecure }

  package func add(to root: RouterGroup<PublicContext>) {
    root.post("pages/display", use: choose)
    root.get("assets/{file}", use: asset)
    root.head("assets/{file}", use: asset)
    root.get("favicon.ico", use: icon)
  }

  @Sendable
  private func choose(_ request: Request, _ context: PublicContext) async throws -> Response {
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

  @Sendable
  private func icon(_ request: Request, _ context: PublicContext) async throws -> Response {
    let icon = Asset.icon
    return Response(
      status: .ok,
      headers: [.contentType: icon.type, .contentLength: "\(icon.bytes.count)", .cacheControl: "public, max-age=86400"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: icon.bytes)))
  }

  @Sendable
  private func asset(_ request: Request, _ context: PublicContext) async throws -> Response {
    let name = try context.parameters.require("file")
    guard let asset = Asset.all.first(where: { $0.name == name }) else { throw Problem.notFound }
    var headers: HTTPFields = [
      .contentType: asset.type, .contentLength: "\(asset.bytes.count)",
      // The name changes with the content.
      .cacheControl: "public, max-age=31536000, immutable",
    ]
    headers[.eTag] = "\"\(asset.name)\""
    guard request.method != .head else { return Response(status: .ok, headers: headers).createHeadResponse() }
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: asset.bytes)))
  }
}
