// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Kit
import Storage

/// The lists that are searched: those in the store, and the files of the operator's folder.
///
/// Each file in the folder with the ending of a list is one list in any form that `ListReader` knows; its code is the
/// file's name in upper case (`un.csv` is `UN`). OFAC's tables are one list, named by that of the primary names. A list
/// in the store takes the place of a file with its code.
///
/// A version is named by the first line of `un.version` beside the file, or else by what the publisher says in it, or
/// else by the day on which it was last written, with eight digits of the SHA-256 of its content after a `+`: a file
/// that was edited under the same name is another version, and all customers are searched for in it.
///
/// Of a file that cannot be read, or that lost much (`ScreeningLists.loss`) and was not accepted, the version is
/// searched that was read from it before and that the store keeps (`ScreeningLists.keep`), and it is told why. Without
/// one, with a required list that is not there, or without any list every search fails.
package actor ScreeningFolder {
  /// Why the lists cannot be searched. Names files and lines only.
  package struct Fault: Error, Sendable, Equatable {
    /// For operators and logs.
    package let reason: String
  }

  private static let versionLengthMax = 64
  /// How long after the lists were last compared the former ones may be searched: servers compare them every half
  /// minute (`Rescreening`), so that only lists that changed in that time are ever searched as they were.
  private static let formerMax = Duration.seconds(60)
  static let endings: Set<String> = ["csv", "xml", "json", "jsonl"]

  private let path: String?
  private let stored: ScreeningLists?
  private let countries: CountryNames
  private let required: Set<String>
  private let world: World?
  private let hides: @Sendable (_ files: [String]) -> Void
  private let broken: @Sendable (_ file: String) -> Void
  private let warns: @Sendable (_ file: String) -> Void
  private let beforeArranging: @Sendable () async -> Void
  /// When the lists were last those that are arranged.
  private var comparedAt = Duration.zero
  private var loaded: (state: State, index: ScreeningIndex)?
  /// Files of the index in whose place a former version is searched.
  package private(set) var formerFiles: [String] = []
  /// What was kept back of them because it lost entries.
  private var keptBack: [ListReader.Reading.Name] = []
  /// What is being arranged, and whether searches look into the former lists meanwhile.
  private var building: (state: State, task: Task<ScreeningIndex, any Error>, isFormerSearched: Bool)?

  /// - Parameters:
  ///   - path: of the folder; nil for lists in the store only.
  ///   - stored: nil for files only.
  ///   - world: as the index takes it.
  ///   - hides: told once for every index that leaves files out, since the store has lists with their codes.
  ///   - broken: told once for every index in which a file that cannot be read has left its former version.
  ///   - warns: told once for every index of a file that is searched and lacks something.
  ///   - beforeArranging: passed each time before lists are read and arranged; for tests.
  package init(
    path: String?, stored: ScreeningLists? = nil, countries: CountryNames, required: Set<String> = [],
    world: World? = nil, hides: @escaping @Sendable (_ files: [String]) -> Void = { _ in },
    broken: @escaping @Sendable (_ file: String) -> Void = { _ in },
    warns: @escaping @Sendable (_ file: String) -> Void = { _ in },
    beforeArranging: @escaping @Sendable () async -> Void = {}
  ) {
    self.path = path
    self.stored = stored
    self.countries = countries
    self.required = required
    self.world = world
    self.hides = hides
    (self.broken, self.warns) = (broken, warns)
    self.beforeArranging = beforeArranging
  }

  /// What a search looks into: the lists as they are now or, while they are arranged, as they were a moment ago. A
  /// search waits for that only where there is nothing to search yet, where nothing was compared with the lists for
  /// `formerMax`, and in a program that ends soon.
  package func index() async throws -> ScreeningIndex {
    let state = try await state()
    if let loaded, loaded.state != state {
      if building == nil, isRecent { arrange(state) }
      if let building, building.isFormerSearched { return loaded.index }
    }
    return try await arranged(state)
  }

  /// Whether the lists that are searched were those of now a moment ago. It is asked when new ones begin to be arranged
  /// and not again, so that searches do not begin to wait for lists that take longer than `formerMax`.
  private var isRecent: Bool {
    guard let world else { return false }
    return world.ticks() - comparedAt <= Self.formerMax
  }

  /// The index over the lists as they are now, however long it takes to arrange them: for what is done in the
  /// background.
  package func arranged() async throws -> ScreeningIndex { try await arranged(try await state()) }

  private func arranged(_ first: State) async throws -> ScreeningIndex {
    var state = first
    while true {
      if let loaded, loaded.state == state {
        comparedAt = world?.ticks() ?? .zero
        return loaded.index
      }
      guard let building else { return try await arrange(state).value }
      if building.state == state { return try await building.task.value }
      // What is being arranged is older than this question.
      _ = await building.task.result
      state = try await self.state()
    }
  }

  private func state() async throws -> State {
    let accepted = keptBack.isEmpty ? [] : (try? await stored?.known(keptBack)) ?? []
    let lists = try await storedLists()
    // Nothing may be kept back any more, since another question was answered meanwhile.
    return State(stored: lists, files: try fileStates(), accepted: accepted.filter(keptBack.contains))
  }

  /// A task of its own, so that a search whose client goes away does not fail those that wait with it.
  @discardableResult
  private func arrange(_ state: State) -> Task<ScreeningIndex, any Error> {
    let task = Task {
      defer { building = nil }
      do {
        // Searches of others wait for it too, so what it writes is not of low priority.
        let built = try await WorkPriority.$current.withValue(.usual) { try await build(state) }
        // What was accepted is not kept back any more, and is asked for no longer.
        let now = State(stored: state.stored, files: state.files, accepted: [])
        (loaded, comparedAt) = ((now, built.index), world?.ticks() ?? .zero)
        (formerFiles, keptBack) = (built.formerFiles, built.keptBack)
        return built.index
      } catch {
        // What changed cannot be searched: the lists as they were would pass for those of today.
        loaded = nil
        throw error
      }
    }
    building = (state, task, isRecent)
    return task
  }

  private struct State: Equatable {
    let stored: [StoredList]
    let files: [FileState]
    /// What was kept back and is in the store since.
    let accepted: [ListReader.Reading.Name]
  }

  private struct Built: Sendable {
    let index: ScreeningIndex
    let formerFiles: [String]
    let keptBack: [ListReader.Reading.Name]
  }

  private struct FileState: Equatable {
    let name: String
    let size: Int
    let written: Date

    var isList: Bool { ScreeningFolder.isList(name) }
    var stem: String { (name as NSString).deletingPathExtension }
  }

  private func storedLists() async throws -> [StoredList] {
    do { return try await stored?.current() ?? [] } catch {
      throw Fault(reason: "the store of lists cannot be read")
    }
  }

  private func fileStates() throws -> [FileState] {
    guard let path else { return [] }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path).sorted().compactMap { name in
        let ending = (name as NSString).pathExtension.lowercased()
        guard Self.endings.contains(ending) || ending == "version" else { return nil }
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
        return FileState(
          name: name, size: (attributes[.size] as? NSNumber)?.intValue ?? -1,
          written: attributes[.modificationDate] as? Date ?? .distantPast)
      }
    } catch { throw Fault(reason: "the folder of lists cannot be read") }
  }

  /// Away from the actor, so that searches go on meanwhile.
  private nonisolated func build(_ state: State) async throws -> Built {
    await beforeArranging()
    var lists: [WatchList] = []
    if let stored {
      for list in state.stored {
        do { lists.append(try await stored.load(list)) } catch {
          throw Fault(reason: "the list \(list.version.code) cannot be read from the store")
        }
      }
    }
    let codes = Set(lists.map(\.version.code))
    var (found, faults) = try files(state.files)
    let hidden = found.filter { codes.contains($0.reading.list.version.code) }.map(\.name)
    if !hidden.isEmpty { hides(hidden) }
    found.removeAll { codes.contains($0.reading.list.version.code) }
    var shown: [(name: String, reading: ListReader.Reading)] = []
    var keptBack: [ListReader.Reading.Name] = []
    let present = Set(state.files.map(\.name))
    let last: [StoredList]
    do {
      last = found.isEmpty && faults.isEmpty ? [] : try await stored?.keptOfFolder() ?? []
      for var one in found {
        if let fault = try await stored?.shrinkage(of: &one.reading, named: one.name, since: last, among: present) {
          faults.append(fault)
          keptBack.append(one.reading.name)
        } else {
          shown.append(one)
        }
      }
    } catch { throw Fault(reason: "the store of lists cannot be read") }
    let kept = try await former(of: faults, besides: codes, among: last, present: present)
    // Of OFAC's tables, one that is broken takes the others along.
    let former = Set(kept.flatMap(\.files))
    for (name, reading) in shown where !former.contains(name) {
      if !reading.warnings.isEmpty { warns(name) }
      // What cannot be kept is searched all the same; only a file that is broken later has nothing to go back to.
      let version = try? await stored?.keep(reading)
      lists.append(WatchList(version: version ?? reading.list.version, entries: reading.list.entries))
    }
    for list in kept {
      guard let former = try? await stored?.load(list) else {
        throw Fault(reason: "the former version of the list \(list.version.code) cannot be read from the store")
      }
      lists.append(former)
    }
    lists.sort { $0.version.code < $1.version.code }
    let missing = required.subtracting(lists.map(\.version.code)).sorted()
    guard missing.isEmpty else { throw Fault(reason: "required lists are missing: \(missing.joined(separator: ", "))") }
    guard !lists.isEmpty else { throw Fault(reason: "there is no list to search") }
    return Built(
      index: ScreeningIndex(lists, countries: countries, world: world),
      formerFiles: faults.map(\.file).filter { !codes.contains(ListReader.stem($0)) }, keptBack: keptBack)
  }

  /// Takes files of the folder as they are, although they lost entries: the store keeps them, which tells every node.
  /// - Parameter names: of files in the folder.
  /// - Returns: the versions by which the store keeps them.
  /// - Throws: `ListFault` for a file that is no list of the folder, or that is not searched since the store has the
  ///   list; `Fault` when the folder or the store cannot be read.
  package func accept(_ names: [String], by actor: String) async throws -> [StoredList] {
    let (found, faults) = try files(try fileStates())
    let codes = Set(try await storedLists().map(\.version.code))
    var readings: [ListReader.Reading] = []
    for name in names {
      if let fault = faults.first(where: { $0.file == name }) { throw fault }
      let own = found.filter { $0.name == name }.map(\.reading)
      guard !own.isEmpty else { throw ListFault(file: name, reason: "the folder has no such list") }
      guard codes.isDisjoint(with: own.map(\.list.version.code)) else {
        throw ListFault(file: name, reason: "the store has this list, which is searched in the place of the file")
      }
      readings += own
    }
    var lists: [StoredList] = []
    for reading in readings {
      let version = try await stored?.keep(reading, acceptedBy: actor)
      if let version, let list = try await stored?.find(version) { lists.append(list) }
    }
    return lists
  }

  /// Why the first of these files of the folder that cannot be searched cannot be; nil when all of them can.
  package func fault(of names: [String]) throws -> ListFault? {
    let (found, faults) = try files(try fileStates())
    guard let name = names.first(where: { name in !found.contains { $0.name == name } }) else { return nil }
    // Of OFAC's tables, the fault may be one of the others.
    return faults.first { $0.file == name } ?? faults.first
  }

  /// The versions that are searched in the place of files that cannot be read. Why is kept with the refused updates.
  /// - Parameters:
  ///   - codes: of lists in the store, beside which a file counts for nothing.
  ///   - kept: of each list of the folder the version that was read last.
  ///   - present: names of the files in the folder.
  /// - Throws: `Fault` of the first file that has no former version.
  private nonisolated func former(
    of faults: [ListFault], besides codes: Set<String>, among kept: [StoredList], present: Set<String>
  ) async throws -> [StoredList] {
    let faults = faults.filter { !codes.contains(ListReader.stem($0.file)) }
    guard !faults.isEmpty else { return [] }
    let former = try faults.map { fault -> StoredList in
      guard let own = kept.last(of: fault.file, among: present) else { throw Fault(reason: "\(fault)") }
      return own
    }
    // Told once all of them have one: a search that fails is tried again and again.
    for (fault, list) in zip(faults, former) {
      broken(fault.file)
      try? await stored?.noteBroken(fault, since: list)
    }
    var seen: Set<StoredList.ID> = []
    return former.filter { seen.insert($0.id).inserted }
  }

  /// What the files say, each with the name of the first of them, and why others cannot be read.
  private nonisolated func files(
    _ states: [FileState]
  ) throws -> (found: [(name: String, reading: ListReader.Reading)], faults: [ListFault]) {
    guard let path else { return ([], []) }
    var files: [(state: FileState, file: ListReader.File, format: ListFormat?)] = []
    var faults: [ListFault] = []
    for state in states where state.isList {
      do throws(ListFault) {
        let file = try ListReader.File(path: "\(path)/\(state.name)", isMapped: false)
        files.append((state, file, ListFormat(file.bytes)))
      } catch { faults.append(error) }
    }
    let parts: Set<ListFormat> = [.ofacAliases, .ofacAddresses, .ofacComments]
    let companions = files.filter { $0.format.map(parts.contains) ?? false }
    let heads = files.filter { !($0.format.map(parts.contains) ?? false) }
    if let stray = companions.first, !heads.contains(where: { $0.format == .ofacNames }) {
      faults.append(
        ListFault(file: stray.file.name, reason: "OFAC's table of primary names, SDN.CSV, is not beside it"))
    }
    var found: [(name: String, reading: ListReader.Reading)] = []
    for head in heads {
      // Each table of names has its own; of one folder there is one, or `CONS_` tells them apart.
      let beside = head.format == .ofacNames ? companions.filter { ListReader.areTogether($0.file, head.file) } : []
      let version = try version(beside: head.state, in: path)
      do throws(ListFault) {
        let readings = try ListReader.read(
          [head.file] + beside.map(\.file), code: head.state.stem.uppercased(), version: version,
          fallback: String(Instant(head.state.written).rfc3339.prefix(10)), countries: countries)
        found += readings.map { (head.state.name, $0.named(by: $0.sha256)) }
      } catch { faults.append(error) }
    }
    return (found, faults)
  }

  /// - Returns: nil without such a file.
  private nonisolated func version(beside file: FileState, in path: String) throws -> String? {
    let sidecar = "\(path)/\(file.stem).version"
    guard FileManager.default.fileExists(atPath: sidecar) else { return nil }
    let text = FileManager.default.contents(atPath: sidecar).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let line = text.split(whereSeparator: \.isNewline).first.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
    guard !line.isEmpty, line.count <= Self.versionLengthMax else {
      throw Fault(reason: "\(file.stem).version does not hold a version")
    }
    return line
  }
}
