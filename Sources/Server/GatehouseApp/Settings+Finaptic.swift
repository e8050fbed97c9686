import Configuration
import Evidence
import FinapticFlow
import Foundation
import Kit
import Screening

/// What an operator decides about Finaptic.
package struct FinapticSettings: Sendable {
  /// Where apps and browsers reach this server; nil is this machine.
  var publicURL: String?
  /// Who writes the mail.
  var senderName = FinapticPolicy().senderName
  /// Multiplies the limits of calls; for load tests and shared networks.
  package var limitFactor = 1
  /// Folder of `occupation.csv` and `industry.csv`; nil is what comes with the program.
  var referenceFolder: String?
  /// Index of addresses that `gatehouse finaptic addresses load` made; nil is the one in the data folder, if any.
  var addressIndex: String?

  /// Files, or folders of files, that say what becomes of whom in a sandbox.
  package var sandboxProfiles: [String] = []
  /// Whether tax residents of other countries and citizens of the United States are turned away.
  var refusesForeignTaxResidents = false

  init() {}

  init(_ config: ConfigReader) throws {
    publicURL = config.string(forKey: "finaptic.publicUrl")
    if let publicURL {
      guard let url = URL(string: publicURL), ["http", "https"].contains(url.scheme), url.host()?.isEmpty == false,
        url.scheme == "https" || ["127.0.0.1", "localhost", "::1", "[::1]"].contains(url.host() ?? ""),
        url.query() == nil, url.fragment() == nil, !publicURL.hasSuffix("/"), publicURL.utf8.count <= 256
      else {
        throw SettingsError(
          "finaptic.publicUrl is an address such as https://bank.example, without a slash at its end; "
            + "without TLS only of this machine")
      }
    }
    senderName = config.string(forKey: "finaptic.sender", default: senderName)
    guard (1...64).contains(senderName.count), senderName.allSatisfy({ !$0.isNewline }) else {
      throw SettingsError("finaptic.sender is 1 to 64 characters")
    }
    limitFactor = config.int(forKey: "finaptic.limitFactor", default: limitFactor)
    guard limitFactor > 0 else { throw SettingsError("finaptic.limitFactor is at least 1") }
    referenceFolder = config.string(forKey: "finaptic.referenceData")
    addressIndex = config.string(forKey: "finaptic.addresses")
    sandboxProfiles = config.stringArray(forKey: "finaptic.sandboxProfiles", default: [])
    refusesForeignTaxResidents = config.bool(forKey: "finaptic.refuseForeignTaxResidents", default: false)
  }

  func policy(port: Int, isSandbox: Bool) -> FinapticPolicy {
    var policy = FinapticPolicy()
    policy.publicURL = publicURL ?? "http://127.0.0.1:\(port)"
    (policy.senderName, policy.isSandbox) = (senderName, isSandbox)
    policy.multiplyLimits(by: limitFactor)
    return policy
  }
}

extension Settings {
  /// Where the index of addresses lies.
  package var finapticAddressIndex: String { finaptic.addressIndex ?? "\(dataFolder)/finaptic-addresses.index" }

  /// - Throws: `SettingsError` for lists that are none.
  package func finapticLibrary() throws -> FinapticLibrary {
    do {
      return try FinapticLibrary(
        referenceFolder: finaptic.referenceFolder, addressIndex: finapticAddressIndex, isSandbox: isSandbox)
    } catch let fault as ReferenceFiles.Fault { throw SettingsError("finaptic.referenceData: \(fault)") }
  }
}

extension FinapticSettings {
  /// What the onboarding asks of this installation.
  /// - Throws: `SettingsError` for profiles that are none.
  func onboarding(
    evidence: EvidenceReader, faces: FaceComparison, liveness: Liveness, screening: ScreeningProvider,
    tell: EventPublisher
  ) throws -> OnboardingPorts {
    var ports = OnboardingPorts()
    ports.identity = .evidence(evidence, faces: faces, liveness: liveness)
    ports.screening = screening
    ports.refusesForeignTaxResidents = refusesForeignTaxResidents
    ports.publisher = tell
    do { ports.profiles = try SandboxProfiles(paths: sandboxProfiles) } catch let fault as SandboxProfiles.Unreadable {
      throw SettingsError(fault.description)
    }
    return ports
  }
}
