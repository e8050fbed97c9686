// SPDX-License-Identifier: Apache-2.0

import Configuration
import Evidence
import Foundation
import Kit
import Ledger
import Screening

/// What an operator decides about Finaptic.
package struct FinapticSettings: ModuleSettings {
  /// Where apps and browsers reach this server; nil is this machine.
  package var publicURL: String?
  /// Who writes the mail.
  var senderName = FinapticPolicy().senderName
  /// Multiplies the limits of calls; for load tests and shared networks.
  package var limitFactor = 1
  /// Folder of `occupation.csv` and `industry.csv`; nil is what comes with the program.
  var referenceFolder: String?
  /// Index of addresses that `gatehouse finaptic address load` made; nil is the one in the data folder, if any.
  var addressIndex: String?

  /// Files, or folders of files, that say what becomes of whom in a sandbox.
  package var sandboxProfiles: [String] = []
  /// Whether tax residents of other countries and citizens of the United States are turned away.
  var refusesForeignTaxResidents = false

  /// How many days before its booking the value date of a posting by the bank may lie.
  var valueDaysBackMax = FinapticPolicy().valueDaysBackMax

  package init() {}

  // What docs/reference/settings.md tells of them.
  // finaptic.sender (default: Gatehouse): who writes the mail, 1 to 64 characters
  // finaptic.valueDaysBack (default: 31): days before its booking that the value date of a posting by the bank may lie

  package init(_ config: ConfigReader) throws {
    publicURL = try config.publicURL(
      forKey: "finaptic.publicUrl",
      rule: "an address such as https://bank.example, without a slash at its end; without TLS only of this machine",
      lengthMax: 256
    ) { $0.isSecure || $0.host.isLoopbackHost }
    senderName = config.string(forKey: "finaptic.sender", default: senderName)
    guard (1...64).contains(senderName.count), senderName.allSatisfy({ !$0.isNewline }) else {
      throw SettingsError("finaptic.sender is 1 to 64 characters")
    }
    limitFactor = try config.int(forKey: "finaptic.limitFactor", default: limitFactor, in: 1...1_000_000)
    referenceFolder = config.string(forKey: "finaptic.referenceData")
    addressIndex = config.string(forKey: "finaptic.addresses")
    sandboxProfiles = config.stringArray(forKey: "finaptic.sandboxProfiles", default: [])
    valueDaysBackMax = try config.int(
      forKey: "finaptic.valueDaysBack", default: valueDaysBackMax, in: 0...Int(Ledger.valueDaysMax))
    refusesForeignTaxResidents = config.bool(forKey: "finaptic.refuseForeignTaxResidents", default: false)
  }

  package func policy(port: Int, isSandbox: Bool) -> FinapticPolicy {
    var policy = FinapticPolicy()
    policy.publicURL = publicURL ?? "http://127.0.0.1:\(port)"
    (policy.senderName, policy.isSandbox) = (senderName, isSandbox)
    policy.valueDaysBackMax = valueDaysBackMax
    policy.multiplyLimits(by: limitFactor)
    return policy
  }

  /// Where the index of addresses lies.
  package func addressIndex(dataFolder: String) -> String {
    addressIndex ?? "\(dataFolder)/finaptic-addresses.index"
  }

  /// - Throws: `SettingsError` for lists that cannot be read.
  package func library(dataFolder: String, isSandbox: Bool) throws -> FinapticLibrary {
    do {
      return try FinapticLibrary(
        referenceFolder: referenceFolder, addressIndex: addressIndex(dataFolder: dataFolder), isSandbox: isSandbox)
    } catch let fault as ReferenceFiles.Fault { throw SettingsError("finaptic.referenceData: \(fault)") }
  }

  /// What the onboarding asks of this installation.
  /// - Parameter isSandbox: whether, without files of profiles, those of our own decide by the applicant's name.
  /// - Throws: `SettingsError` for profiles that cannot be read.
  package func onboarding(
    evidence: EvidenceReader, faces: FaceComparison, liveness: Liveness, screening: ScreeningProvider,
    tell: EventPublisher, isSandbox: Bool
  ) throws -> OnboardingPorts {
    var ports = OnboardingPorts()
    ports.identity = .evidence(evidence, faces: faces, liveness: liveness)
    ports.screening = screening
    ports.refusesForeignTaxResidents = refusesForeignTaxResidents
    ports.publisher = tell
    if sandboxProfiles.isEmpty, isSandbox { ports.profiles = .standard }
    guard !sandboxProfiles.isEmpty else { return ports }
    do { ports.profiles = try SandboxProfiles(paths: sandboxProfiles) } catch let fault as SandboxProfiles.Unreadable {
      throw SettingsError(fault.description)
    }
    return ports
  }
}
