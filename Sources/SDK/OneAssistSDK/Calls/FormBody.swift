// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A form with a file (RFC 7578).
struct FormBody: Sendable {
  let type: String
  let bytes: Data

  /// - Parameters:
  ///   - fileName: of letters, digits and dots.
  ///   - boundary: what no part contains, such as a random UUID.
  init(fields: [(name: String, value: String)], fileField: String, fileName: String, file: Data, boundary: String) {
    type = "multipart/form-data; boundary=\(boundary)"
    let picture = PictureType(file)
    var bytes = Data()
    for field in fields {
      bytes.append(
        contentsOf: Data(
          "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(field.name)\"\r\n\r\n\(field.value)\r\n".utf8))
    }
    bytes.append(
      contentsOf: Data(
        """
        --\(boundary)\r\nContent-Disposition: form-data; name="\(fileField)"; \
        filename="\(fileName).\(picture.suffix)"\r\nContent-Type: \(picture.mediaType)\r\n\r\n
        """.utf8))
    bytes.append(file)
    bytes.append(contentsOf: Data("\r\n--\(boundary)--\r\n".utf8))
    self.bytes = bytes
  }
}

/// What a picture is, by its first bytes.
enum PictureType: Sendable {
  case jpeg, png, heic, other

  init(_ bytes: Data) {
    let head = [UInt8](bytes.prefix(12))
    if head.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      self = .png
    } else if head.count == 12, head[4..<8].elementsEqual(Array("ftyp".utf8)) {
      self = .heic
    } else {
      self = .other
    }
  }

  var mediaType: String {
    switch self {
    case .jpeg: "image/jpeg"
    case .png: "image/png"
    case .heic: "image/heic"
    case .other: "application/octet-stream"
    }
  }

  var suffix: String {
    switch self {
    case .jpeg: "jpg"
    case .png: "png"
    case .heic: "heic"
    case .other: "bin"
    }
  }
}
