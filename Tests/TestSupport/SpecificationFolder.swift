// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The folder with the specifications and their samples: beside this checkout, or where GATEHOUSE_SPEC says. Suites that
/// need a file of it are skipped when it is not there.
package enum SpecificationFolder {
  package static let url = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["GATEHOUSE_SPEC"] ?? "../shared/spec", isDirectory: true)

  package static func file(_ path: String) -> URL { url.appending(path: path) }

  /// - Returns: nil when the file is not there.
  package static func data(_ path: String) -> Data? { try? Data(contentsOf: file(path)) }

  /// Every file with the sandbox's profiles of Finaptic.
  package static let finapticProfiles: [URL] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    return names.filter { $0.hasPrefix("finaptic-test-profiles") && $0.hasSuffix(".json") }.sorted().map(file)
  }()
}

/// Bytes that a sample holds as hexadecimal digits.
package struct SampleHex: Decodable, Sendable {
  package let bytes: Data

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let digits = Array(try container.decode(String.self))
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    guard digits.count.isMultiple(of: 2), !bytes.contains(nil) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no hexadecimal digits")
    }
    self.bytes = Data(bytes.compactMap { $0 })
  }
}
