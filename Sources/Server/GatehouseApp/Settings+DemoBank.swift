// SPDX-License-Identifier: Apache-2.0

import Configuration
import Console
import Kit

/// Whether this installation also shows a bank to try the Authenticator with.
package struct DemoBankSettings: Sendable {
  /// What the bank knows when it starts; nil is no such bank.
  package var book: DemoBankService?
  /// Whether a sandbox has one by itself.
  package var isWanted = true

  init() {}

  // What docs/reference/settings.md tells of them.
  // sandbox.demoBank: whether a sandbox has a bank to try the Authenticator with
  // demoBank.file: JSON file of a bank to try the Authenticator with, in a sandbox

  /// - Parameter isSandbox: invented customers have no place beside real ones.
  init(_ config: ConfigReader, isSandbox: Bool) throws {
    isWanted = config.bool(forKey: "sandbox.demoBank", default: isWanted)
    guard let file = config.string(forKey: "demoBank.file") else { return }
    guard isSandbox else { throw SettingsError("demoBank.file is for sandboxes: there is a tenants file") }
    do { book = try DemoBankService(file: file) } catch let unusable as DemoBankService.Unusable {
      throw SettingsError("demoBank.file: \(unusable)")
    }
  }
}
