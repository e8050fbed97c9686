// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import GatehouseTransport
package import GatehouseUI

/// What the command line of a sample says: names that begin with `--`, each with a value.
package struct SampleOptions {
  /// What is wrong with it.
  package struct Fault: Error, CustomStringConvertible {
    package let description: String

    /// Creates the value from its member.
    package init(description: String) { self.description = description }
  }

  private var values: [String: String] = [:]
  /// Where everything is kept.
  package let folder: URL

  /// - Parameter names: of the program, beside `--data` and `--language`.
  package init(_ arguments: [String], names: Set<String> = []) throws(Fault) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      guard names.union(["--data", "--language"]).contains(name) else {
        throw Fault(description: "There is no \(name).")
      }
      guard let value = rest.popFirst(), !value.isEmpty else { throw Fault(description: "\(name) needs a value.") }
      values[name] = value
    }
    guard let folder = values["--data"] else { throw Fault(description: "--data is missing.") }
    self.folder = URL(fileURLWithPath: folder)
  }

  /// A value by its name.
  package subscript(name: String) -> String? { values[name] }

  /// Nil when none is named.
  package func language() throws(Fault) -> ScreenLanguage? {
    guard let tag = values["--language"] else { return nil }
    guard let language = ScreenLanguage(rawValue: tag) else {
      throw Fault(description: "The languages are en, fr and ar.")
    }
    return language
  }

  /// The address of a server; nil when none is named.
  package func address(_ name: String) throws(Fault) -> URL? {
    guard let text = values[name] else { return nil }
    guard let address = URL(string: text), address.scheme != nil, address.host != nil else {
      throw Fault(description: "\(name) needs an address such as https://bank.example.")
    }
    return address
  }

  /// The folder's store, sealed by a key that lies beside it.
  /// - Parameter name: of a part of the program that keeps its own.
  package func store(_ name: String = "") throws -> SealedFileStore {
    let folder = name.isEmpty ? folder : folder.appending(path: name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return try SealedFileStore(file: folder.appending(path: "app"), keyFile: folder.appending(path: "key"))
  }

  /// Runs a sample, and leaves with 64 for wrong arguments, and 1 when the folder cannot be used.
  package static func main(_ usage: String, _ run: @MainActor ([String]) async throws -> Void) async {
    do { try await run(Array(CommandLine.arguments.dropFirst())) } catch let fault as Fault {
      say("\(fault)\n\n\(usage)\n")
      exit(64)
    } catch {
      say("The folder cannot be used: \(error)\n")
      exit(1)
    }
  }
}
