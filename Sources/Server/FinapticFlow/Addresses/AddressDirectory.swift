// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Synchronization

/// The addresses that this installation suggests: an operator's index, looked at anew when the file changes, or the
/// invented ones that come with the program.
package final class AddressDirectory: Sendable {
  private struct State: Equatable, Sendable {
    let size: Int
    let written: Date
    let file: UInt64
  }

  private let path: String?
  private let loaded: Mutex<(state: State, index: AddressIndex)?>
  private let suggestsSample: Bool

  /// - Parameters:
  ///   - path: of the index; nil, or a path without a file, means no index.
  ///   - suggestsSample: whether, without an index, the invented addresses are suggested. For sandboxes only: the
  ///     addresses are invented.
  package init(path: String?, suggestsSample: Bool) {
    (self.path, self.suggestsSample) = (path, suggestsSample)
    loaded = Mutex(nil)
  }

  /// Nil when this installation has no addresses.
  /// - Throws: `AddressIndex.Unreadable` when there is a file that is no index.
  package func index() throws -> AddressIndex? {
    guard let path, let state = Self.state(of: path) else { return suggestsSample ? try Self.sample.get() : nil }
    return try loaded.withLock { loaded in
      if let loaded, loaded.state == state { return loaded.index }
      let index = try AddressIndex(try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped))
      loaded = (state, index)
      return index
    }
  }

  private static func state(of path: String) -> State? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
    return State(
      size: (attributes[.size] as? NSNumber)?.intValue ?? -1,
      written: attributes[.modificationDate] as? Date ?? .distantPast,
      file: (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0)
  }

  /// Invented streets in real towns.
  static let sample = Result {
    var builder = AddressIndexBuilder()
    _ = try AddressFile.read(Data(PackageResources.addresses_csv), into: &builder)
    return try AddressIndex(builder.finished())
  }
}
