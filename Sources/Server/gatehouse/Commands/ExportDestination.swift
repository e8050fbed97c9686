// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import GatehouseApp
import HTTP
import Kit

/// Where the files of an export go.
struct ExportDestination: ParsableArguments {
  @Option(help: "A new folder, or a new file that ends in .zip.")
  var to: String

  /// Nothing is there under its name before `body` has ended well, and nothing at all when it throws.
  /// - Throws: also `BackupError` when there is something of that name.
  func write(_ body: (inout any ExportWriter) async throws -> Void) async throws {
    var writer: any ExportWriter =
      to.lowercased().hasSuffix(".zip")
      ? try ZipWriter(to, world: .live, onStaged: InterruptedWork.remove)
      : try FolderWriter(to, world: .live, onStaged: InterruptedWork.remove)
    do {
      try await body(&writer)
      try writer.finish()
    } catch {
      writer.abandon()
      throw error
    }
  }

  /// Writes what a module keeps of a person.
  func write(
    _ subject: DataSubject, from module: any Module, of app: App, includingRestricted: Bool = false,
    output: OutputOptions
  ) async throws {
    try await write { writer in
      try await app.export(subject, from: module, includingRestricted: includingRestricted, to: &writer)
    }
    try output.done("\(to) holds what is kept of \(subject.id).", id: subject.id)
  }
}
