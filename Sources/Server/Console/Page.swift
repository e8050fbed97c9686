import Foundation
import HTTPTypes
import Hummingbird
import Mustache

/// A page: a struct whose template sees its properties and nothing else.
package protocol Page {
  /// The template that stands beside the page's file.
  static var template: [UInt8] { get }
}

extension Page {
  package func response() throws -> Response {
    let template = try MustacheTemplate(string: String(decoding: Self.template, as: UTF8.self))
    return Response(
      status: .ok,
      headers: [
        .contentType: "text/html; charset=utf-8",
        .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      ],
      body: ResponseBody(byteBuffer: ByteBuffer(string: template.render(self))))
  }
}
