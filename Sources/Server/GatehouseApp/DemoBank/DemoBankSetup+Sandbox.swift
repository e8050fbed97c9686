// SPDX-License-Identifier: Apache-2.0

import Console
import Foundation
import Identity
import Kit
import Logging
import SaltEdgeFlow
import Storage

/// The demonstration bank that a sandbox has by itself.
extension DemoBankSetup {
  private static let code = "demobank"

  /// Opens the application of a server. A sandbox that only this machine reaches has a demonstration bank from its
  /// first start on. What the bank knows is kept in the data folder, and moves with the address that phones reach the
  /// server at; its customers' passwords lie beside it.
  package static func openServing(
    _ settings: Settings, database: (any SQLDatabase)? = nil, logger: Logger, passwordCost: PasswordCost = .standard
  ) async throws -> App {
    func open(_ book: DemoBankService?, _ database: (any SQLDatabase)?) async throws -> App {
      var served = settings
      if let book { served.demoBank.book = book }
      return try await App.open(served, database: database, logger: logger, passwordCost: passwordCost)
    }
    guard settings.hasOwnDemoBank else { return try await open(nil, database) }
    let address = settings[SaltEdgeSettings.self].policy(port: settings.port).publicURL
    let kept = try kept(at: settings.demoBankPath)
    let isHere = kept?.address == address
    let first = try await open(isHere ? kept : nil, database)
    let setup = DemoBankSetup(app: first, cost: passwordCost)
    do {
      guard let kept, try await setup.isKnown(kept) else {
        return try await open(try await setup.makeOwn(settings), first.database)
      }
      return isHere ? first : try await open(try await setup.move(kept, to: address, settings), first.database)
    } catch let problem as Problem where problem.category == .conflict {
      // Another machine with this database made this bank, or an operator made one with the same code.
      return isHere ? try await open(nil, first.database) : first
    }
  }

  private func makeOwn(_ settings: Settings) async throws -> DemoBankService {
    let (place, list) = (
      try StagedFile(for: settings.demoBankPath), try StagedFile(for: settings.demoBankPasswordsPath)
    )
    let made = try await make(code: Self.code, by: "sandbox")
    try list.append(Data(made.passwords.map { "\($0.username) \($0.password)\n" }.joined().utf8))
    try list.commit()
    try made.book.write(to: place)
    return made.book
  }

  /// - Returns: the bank of an earlier start; nil at the first start.
  private static func kept(at path: String) throws -> DemoBankService? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    do { return try DemoBankService(file: path) } catch { throw SettingsError("\(error)") }
  }

  /// Whether the bank is one of this database, which need not be that of the earlier start.
  private func isKnown(_ book: DemoBankService) async throws -> Bool {
    try await app.saltEdge.providers.list(tenant: "default").contains { $0.id.rawValue == book.provider }
  }

  private func move(_ book: DemoBankService, to address: String, _ settings: Settings) async throws -> DemoBankService {
    var change = Providers.Change()
    change.loginURL = address + DemoBankService.loginPath
    change.webhookURL = address + DemoBankService.webhookPath
    _ = try await app.saltEdge.providers.change(Self.code, change, clients: app.serviceClients, by: "sandbox")
    let moved = book.moved(to: address)
    try moved.write(to: StagedFile(for: settings.demoBankPath))
    return moved
  }
}

extension Settings {
  /// For a command beside the server of a sandbox: a port that was given to `serve` alone stands in what the command
  /// makes for apps, too. It is the port of the last server that left a bank in the data folder; one that is named
  /// counts more. Where the settings name the bank's address, its port may be that of a proxy.
  package mutating func followServer() {
    guard hasOwnDemoBank, !isPortNamed, self[SaltEdgeSettings.self].publicURL == nil,
      let bank = try? DemoBankService(file: demoBankPath), let address = WebAddress(bank.address),
      !address.isSecure, address.host == "127.0.0.1", let served = address.port
    else { return }
    port = served
  }

  var demoBankPath: String { "\(dataFolder)/demo-bank.json" }
  var demoBankPasswordsPath: String { "\(dataFolder)/demo-bank-passwords.txt" }

  /// The code of a bank holds the port, so a server that takes any free port gets no bank. Neither does a sandbox that
  /// other machines can reach, unless it is asked for.
  var hasOwnDemoBank: Bool {
    isSandbox && !isPublicSandbox && demoBank.isWanted && demoBank.book == nil
      && (port != 0 || self[SaltEdgeSettings.self].publicURL != nil)
  }
}
