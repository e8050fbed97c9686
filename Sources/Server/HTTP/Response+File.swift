// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird

extension Response {
  /// A file that a browser keeps instead of showing it.
  /// - Parameter name: words and ids of ours, which need no quoting.
  package static func attachment(_ bytes: Data, _ mediaType: String, named name: String) -> Response {
    file(bytes, mediaType, disposition: "attachment; filename=\"\(name)\"")
  }

  /// A stored picture; pictures are kept as JPEG.
  package static func image(_ bytes: Data) -> Response { file(bytes, "image/jpeg", disposition: "inline") }

  private static func file(_ bytes: Data, _ mediaType: String, disposition: String) -> Response {
    Response(
      status: .ok, headers: [.contentType: mediaType, .contentDisposition: disposition],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
