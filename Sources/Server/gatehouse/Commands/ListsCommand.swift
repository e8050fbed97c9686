// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import Kit
import Screening

/// The lists of sanctioned and exposed people in the store.
struct ListsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lists", abstract: "Load and remove screening lists, and see which versions are searched.",
    subcommands: [Update.self, Remove.self, Status.self])

  struct Update: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "update",
      abstract: "Put lists in the place of their older versions, all of these files or none; 1 when one is no list.",
      discussion: """
        Files as they are published: OFAC's XML, advanced XML and CSV (SDN, ALT and ADD together), the UN's XML, the EU's \
        XML and CSV, OFSI's and the UK's CSV, OpenSanctions' targets.simple.csv and FollowTheMoney lines, or a table of \
        your own with the columns ref and name. What a file is, is told by its content. A file that is no list changes \
        nothing. Running servers search new versions a few seconds later.
        """)

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var by: OperatorOptions
    @Argument(help: "List files.", completion: .file())
    var files: [String]
    @Option(help: "Code of the list, such as PEP (default: the publisher's, or the name of the file). For one list.")
    var code: String?
    @Option(name: .customLong("list-version"), help: "Name of the version (default: the publisher's, or today).")
    var listVersion: String?
    @Flag(help: "Take a list that lost more than a fifth of what it had too.")
    var acceptShrunk = false
    @Flag(help: "Take files of screening.folder, named without a path, that lost more than a fifth of what they had.")
    var folder = false
    @Flag(help: "Compare files that were loaded before with what is kept, and keep what is read differently now.")
    var reread = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
      guard !files.isEmpty else { throw ValidationError("name at least one file") }
      guard !folder || (code == nil && listVersion == nil && !acceptShrunk && !reread) else {
        throw ValidationError("--folder takes files as the servers read them: no other option goes with it")
      }
    }

    func run() async throws {
      // Files of a folder are taken for the servers of an installation that is there.
      let app = try await installation.app(orNew: !folder)
      let actor = try await by.actor(in: app, may: .decideAML)
      if folder { return try await accept(in: app, by: actor) }
      let changes: [ScreeningLists.Change]
      do {
        changes = try await TerminalProgress.show("Loading lists", output) {
          $0.begin("files")
          return try await app.screeningLists.update(
            try await read(in: app, by: actor), takesShrunk: acceptShrunk, rereads: reread, by: actor, progress: $0)
        }
      } catch let fault as ListFault {
        throw Problem(.badRequest, "list-refused", "\(fault.onTerminal). The lists stay as they were.")
      }
      try output.show(["lists": changes.map { ListReport($0.list) }], changes.map(\.text))
    }

    /// Files of the folder stay what is searched; the store only knows that a person has taken them.
    private func accept(in app: App, by actor: String) async throws {
      guard let path = app.settings.screeningFolder else {
        throw CommandFailure.refused("screening.folder is not set: without --folder files are loaded into the store")
      }
      let lists: [StoredList]
      do {
        lists = try await ScreeningFolder(path: path, stored: app.screeningLists, countries: .iso).accept(
          files, by: actor)
      } catch let fault as ListFault {
        throw Problem(.badRequest, "list-refused", "\(fault.onTerminal). The lists stay as they were.")
      } catch let fault as ScreeningFolder.Fault {
        throw CommandFailure.refused("Nothing was taken: \(fault.reason).")
      }
      try output.show(
        ["lists": lists.map(ListReport.init)],
        lists.map {
          "\(TerminalLine.of("\($0.version.code) \($0.version.version)")) is taken: \($0.entriesText)."
        })
    }

    private func read(in app: App, by actor: String) async throws -> [ListReader.Reading] {
      do {
        let readings = try ListReader.read(
          try ListReader.File.all(files), code: code, version: listVersion,
          fallback: String(app.world.now().rfc3339.prefix(10)), countries: .iso)
        guard code == nil && listVersion == nil || readings.count == 1 else {
          throw ValidationError("--code and --list-version name one list, and the files are \(readings.count)")
        }
        for reading in readings { ScreenOutput.tell(reading.encoding, of: reading.files[0].name) }
        return readings
      } catch let fault as ListFault { throw try await app.screeningLists.refused(fault, by: actor) }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Search a list of the store no more.",
      discussion: """
        For a list that was loaded by mistake, or whose provider ended. Its versions are kept as replaced ones are, so \
        that what was decided by them can be searched for again, and update with the same files puts it back. Open cases \
        of its entries stay open and tell that it was removed. Running servers search without it within half a minute. \
        A list that is a file of screening.folder goes with its file.
        """)

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var by: OperatorOptions
    @Argument(help: "Code of the list, as status shows it.")
    var code: String
    @Flag(help: "Remove the last list too, after which no screening has an answer.")
    var acceptNoList = false
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let app = try await installation.app()
      let actor = try await by.actor(in: app, may: .decideAML)
      let folder = app.settings.screeningFolder
      let files: [String: [String]]
      var broken: ListFault?
      do {
        files = try folder.map(ScreeningFolder.codes) ?? [:]
        if let folder, let instead = files[code] {
          broken = try await ScreeningFolder(path: folder, countries: .iso).fault(of: instead)
        }
      } catch let fault as ScreeningFolder.Fault {
        throw CommandFailure.refused("Nothing was removed: \(fault.reason).")
      }
      if let broken {
        throw CommandFailure.refused(
          "Nothing was removed, for a file that would be searched instead is no list: \(broken.onTerminal).")
      }
      let (name, instead) = (TerminalLine.of(code), files[code] ?? [])
      let isStored = try await app.screeningLists.current().contains { $0.version.code == code }
      guard !isStored || !instead.isEmpty || !app.settings.screeningRequired.contains(code) else {
        throw CommandFailure.refused("\(name) is in screening.required: without it every screening fails.")
      }
      switch try await app.screeningLists.remove(code, besides: Set(files.keys), takesLast: acceptNoList, by: actor) {
      case .unknown:
        let shown = instead.map { TerminalLine.of($0) }.joined(separator: ", ")
        throw instead.isEmpty
          ? CommandFailure.notFound("\(name): the store has no such list.")
          : CommandFailure.refused("\(name) is in screening.folder: it is removed by taking \(shown) out of there.")
      case .last:
        throw CommandFailure.refused(
          "\(name) is the last list, and without one no screening has an answer: --accept-no-list removes it.")
      case .removed(let list):
        try output.show(
          RemovalReport(removed: ListReport(list), files: instead),
          ["\(name) \(TerminalLine.of(list.version.version)) is not searched any more: \(list.entriesText)."]
            + instead.map { "\(TerminalLine.of($0)) of screening.folder is searched in its place." })
      }
    }
  }

  struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status",
      abstract: "Show the versions that are searched, with their digests, and updates that were refused since.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let status = try await installation.app().screeningLists.status()
      if output.json { return try output.show(StatusReport(status), []) }
      if status.current.isEmpty { print("No list is in the store.") }
      for list in status.current {
        print(
          "\(TerminalLine.of(list.version.code))  \(TerminalLine.of(list.version.version))  \(list.entriesText)  "
            + "\(list.format.rawValue)  sha256 \(list.sha256)  \(list.loadedAt.rfc3339)  \(list.loadedBy)")
        if let skipped = list.skipped.skippedText { print("  not searched: \(skipped)") }
        for warning in list.warnings { print("  warning: \(TerminalLine.of(warning))") }
      }
      for refused in status.refused { print("✗ \(refused.at.rfc3339)  \(refused.fault.onTerminal)  \(refused.by)") }
    }
  }
}

private struct ListReport: Encodable {
  let code, version, sha256, format: String
  let files: [String]
  let entries: Int
  let skipped: [String: Int]
  let warnings: [String]
  let loadedAt, loadedBy: String

  init(_ list: StoredList) {
    (code, version, sha256) = (list.version.code, list.version.version, list.sha256)
    (format, files, entries, skipped) = (list.format.rawValue, list.files, list.entryCount, list.skipped)
    warnings = list.warnings
    (loadedAt, loadedBy) = (list.loadedAt.rfc3339, list.loadedBy)
  }
}

private struct RemovalReport: Encodable {
  let removed: ListReport
  /// Of the folder, which are searched in its place.
  let files: [String]
}

private struct StatusReport: Encodable {
  struct Refusal: Encodable {
    let file: String
    let line: Int?
    let reason, at, by: String
  }

  let lists: [ListReport]
  let refused: [Refusal]

  init(_ status: ScreeningLists.Status) {
    lists = status.current.map(ListReport.init)
    refused = status.refused.map {
      Refusal(file: $0.fault.file, line: $0.fault.line, reason: $0.fault.reason, at: $0.at.rfc3339, by: $0.by)
    }
  }
}

extension StoredList {
  fileprivate var entriesText: String { entryCount.counted("entry", "entries") }
}

extension ListReader.File {
  /// The files that a command line names.
  /// - Throws: `ListFault`; `CommandFailure` not found, which is no refused list.
  static func all(_ paths: [String]) throws -> [ListReader.File] {
    for path in paths { try CommandFailure.require(path) }
    return try paths.map { try ListReader.File(path: $0) }
  }
}

extension ListFault {
  /// A file's name is from outside.
  fileprivate var onTerminal: String { TerminalLine.of("\(self)") }
}

extension [String: Int] {
  /// What of a list is not searched, by its schema: `3 CryptoWallet, 1 Security`; nil when all of it is.
  var skippedText: String? {
    let counts = sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    return counts.isEmpty ? nil : counts.joined(separator: ", ")
  }
}

extension ScreeningLists.Change {
  fileprivate var text: String {
    said + (list.skipped.skippedText.map { " Not searched: \($0)." } ?? "")
      + list.warnings.map { " Warning: \(TerminalLine.of($0))." }.joined()
  }

  private var said: String {
    let name = TerminalLine.of("\(list.version.code) \(list.version.version)")
    return switch self {
    case .unchanged: "\(name) is searched already: nothing changed."
    case .restored: "\(name) is searched again: \(list.entriesText)."
    case .loaded(_, let before):
      "\(name) is searched now: \(list.entriesText)"
        + (before.map { ", \($0.entryCount) in \(TerminalLine.of($0.version.version)) before." } ?? ".")
    }
  }
}
