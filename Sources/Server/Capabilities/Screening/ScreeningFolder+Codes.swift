// SPDX-License-Identifier: Apache-2.0

import Foundation

extension ScreeningFolder {
  /// Whether a file in the folder is a list, by its ending.
  package static func isList(_ name: String) -> Bool {
    endings.contains((name as NSString).pathExtension.lowercased())
  }

  /// The files of a folder that are lists by their endings, by the codes that they have there.
  /// - Throws: `Fault` when the folder cannot be read.
  package static func codes(in path: String) throws -> [String: [String]] {
    do {
      let names = try FileManager.default.contentsOfDirectory(atPath: path).filter(isList)
      return Dictionary(grouping: names.sorted(), by: ListReader.stem)
    } catch { throw Fault(reason: "the folder of lists cannot be read") }
  }
}

extension ListReader.Reading {
  /// The same entries in a version whose name tells the content too.
  func named(by sha256: String) -> Self {
    let version = list.version
    var reading = self
    reading.list = WatchList(
      version: .init(code: version.code, version: version.name(withContent: sha256)), entries: list.entries)
    return reading
  }
}
