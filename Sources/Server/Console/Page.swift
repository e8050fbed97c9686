import Foundation
import HTTPTypes
import Hummingbird
import Mustache

/// A page: a struct whose template sees its properties and nothing else.
package protocol Page {
  /// The template that stands beside the page's file.
  static var template: [UInt8] { get }
  /// Templates that it is made with, by the names it calls them by.
  static var parts: [String: [UInt8]] { get }
  /// What the browser may load, run and send.
  static var policy: String { get }
}

extension Page {
  package static var parts: [String: [UInt8]] { [:] }
  package static var policy: String { "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'" }

  package func response(status: HTTPResponse.Status = .ok) throws -> Response {
    Response(
      status: status,
      headers: [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: Self.policy],
      body: ResponseBody(byteBuffer: ByteBuffer(string: try html())))
  }

  func html() throws -> String {
    let library = MustacheLibrary(templates: try Self.parts.mapValues(Self.parsed))
    return try Self.parsed(Self.template).render(self, library: library)
  }

  private static func parsed(_ template: [UInt8]) throws -> MustacheTemplate {
    try MustacheTemplate(string: String(decoding: template, as: UTF8.self))
  }
}
