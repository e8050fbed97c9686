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

  /// Opens the application of a server. A sandbox that only this machine reaches has a demonstration bank from its first
  /// start on. What the bank knows is kept in the data folder, and moves with the address that phones reach the server
  /// at; its customers' passwords lie beside it.
  package static func openServing(
    _ settings: Settings, database: (any SQLDatabase)? = nil, logger: Logger, passwordCost: PasswordCost = .standard
  ) async throws -> App {
    let first = try await App.open(settings, database: database, logger: logger, passwordCost: passwordCost)
    guard settings.hasOwnDemoBank else { return first }
    var served = settings
    do {
      let setup = DemoBankSetup(app: first, cost: passwordCost)
      served.demoBank.book = try await setup.known(at: settings.demoBankPath)
      if served.demoBank.book == nil { served.demoBank.book = try await setup.makeOwn(settings) }
    } catch let problem as Problem where problem.category == .conflict {
      // Another machine with this database has it, or an operator made a bank of that code.
      return first
    }
    return try await App.open(served, database: first.database, logger: logger, passwordCost: passwordCost)
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

  /// The bank of an earlier start, at today's address.
  /// - Returns: nil when there is none, or when it is not in this database.
  private func known(at path: String) async throws -> DemoBankService? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let book: DemoBankService
    do { book = try DemoBankService(file: path) } catch { throw SettingsError("\(error)") }
    let providers = Providers(app.saltEdge.core)
    guard try await providers.list(tenant: "default").contains(where: { $0.id.rawValue == book.provider }) else {
      return nil
    }
    let address = app.saltEdge.policy.publicURL
    guard book.address != address else { return book }
    var change = Providers.Change()
    change.loginURL = address + DemoBankService.loginPath
    change.webhookURL = address + DemoBankService.webhookPath
    _ = try await providers.change(Self.code, change, clients: app.serviceClients, by: "sandbox")
    let moved = book.moved(to: address)
    try moved.write(to: StagedFile(for: path))
    return moved
  }
}

extension Settings {
  var demoBankPath: String { "\(dataFolder)/demo-bank.json" }
  var demoBankPasswordsPath: String { "\(dataFolder)/demo-bank-passwords.txt" }

  /// Codes of a bank name the port, so that a server on any port has none; and whoever reaches a sandbox from elsewhere
  /// is not given one unasked.
  var hasOwnDemoBank: Bool {
    isSandbox && !isPublicSandbox && demoBank.isWanted && demoBank.book == nil
      && (port != 0 || self[SaltEdgeSettings.self].publicURL != nil)
  }
}
