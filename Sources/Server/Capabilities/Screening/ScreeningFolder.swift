import DocumentCore
import Foundation
import Kit

/// The operator's folder of list files.
///
/// Each `*.csv` is one list in the form of `WatchList.init`; its code is the file's name in upper case (`un.csv` is
/// `UN`). Its version is the first line of `un.version` beside it, or else the day on which the file was last written.
/// One file that cannot be read, one required list that is not there, or no list at all makes every search fail.
package actor ScreeningFolder {
  /// Why the folder cannot be searched. Names files and lines only.
  package struct Fault: Error, Sendable, Equatable {
    /// For operators and logs.
    package let reason: String
  }

  private static let versionLengthMax = 64

  private let path: String
  private let countries: CountryNames
  private let required: Set<String>
  private var loaded: (state: [FileState], index: ScreeningIndex)?

  package init(path: String, countries: CountryNames, required: Set<String> = []) {
    self.path = path
    self.countries = countries
    self.required = required
  }

  /// The index over the files as they are now.
  package func index() throws -> ScreeningIndex {
    let state = try fileStates()
    if let loaded, loaded.state == state { return loaded.index }
    let lists = try state.filter(\.isList).map(read)
    let missing = required.subtracting(lists.map(\.version.code)).sorted()
    guard missing.isEmpty else { throw Fault(reason: "required lists are missing: \(missing.joined(separator: ", "))") }
    guard !lists.isEmpty else { throw Fault(reason: "there is no list in the folder") }
    let index = ScreeningIndex(lists, countries: countries)
    loaded = (state, index)
    return index
  }

  private struct FileState: Equatable {
    let name: String
    let size: Int
    let written: Date

    var isList: Bool { name.lowercased().hasSuffix(".csv") }
    var stem: String { (name as NSString).deletingPathExtension }
  }

  private func fileStates() throws -> [FileState] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path).sorted().compactMap { name in
        guard name.lowercased().hasSuffix(".csv") || name.hasSuffix(".version") else { return nil }
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
        return FileState(
          name: name, size: (attributes[.size] as? NSNumber)?.intValue ?? -1,
          written: attributes[.modificationDate] as? Date ?? .distantPast)
      }
    } catch { throw Fault(reason: "the folder of lists cannot be read") }
  }

  private func read(_ file: FileState) throws -> WatchList {
    // A file that grew beyond the limit is refused before it is in memory.
    guard file.size <= CSV.bytesMax, let data = FileManager.default.contents(atPath: "\(path)/\(file.name)") else {
      throw Fault(reason: "\(file.name) cannot be read")
    }
    let version = WatchList.Version(code: file.stem.uppercased(), version: try version(of: file))
    do { return try WatchList(data, version: version, countries: countries) } catch {
      throw Fault(reason: "\(file.name): \(error)")
    }
  }

  private func version(of file: FileState) throws -> String {
    let sidecar = "\(path)/\(file.stem).version"
    guard FileManager.default.fileExists(atPath: sidecar) else {
      return String(Instant(file.written).rfc3339.prefix(10))
    }
    let text = FileManager.default.contents(atPath: sidecar).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let line = text.split(whereSeparator: \.isNewline).first.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
    guard !line.isEmpty, line.count <= Self.versionLengthMax else {
      throw Fault(reason: "\(file.stem).version does not hold a version")
    }
    return line
  }
}
