import Foundation
import GatehouseUI
import OnboardingUI
import RubixOnboarding
import ScreenTerminal

/// The onboarding of a Rubix customer as a program of a terminal: the same screens as in an app, told by lines instead of
/// touched, with pictures from files instead of a camera. Leaves with 0 when its input ends, 64 for wrong arguments and 1
/// when the folder cannot be used.
@main
struct OnboardingSample {
  private typealias Terminal = ScreenTerminal<RubixScreens>

  static func main() async {
    let usage = """
      Usage: OnboardingSample --bank ADDRESS --data FOLDER [--tenant NAME] [--language en|fr|ar]
      The session is kept in the folder, sealed by a key that lies beside it. \(Terminal.usage)
      """
    await SampleOptions.main(usage) { try await run(SampleOptions($0, names: ["--bank", "--tenant"])) }
  }

  @MainActor
  private static func run(_ options: SampleOptions) async throws {
    guard let bank = try options.address("--bank") else { throw SampleOptions.Fault(description: "--bank is missing.") }
    let language = try options.language() ?? .english
    let onboarding = RubixOnboarding(
      baseURL: bank, tenant: options["--tenant"], tokenStore: SecureTokenStore(try options.store()))
    let ports = RubixPorts { address in say("Opens \(address.absoluteString)\n") }
    let device = RubixDevice(
      id: try deviceID(in: options.folder), appVersion: "1.0", osVersion: "Linux", model: "Terminal")
    let performer = RubixPerformer(onboarding, device: device, language: language, ports: ports)
    let driver = ScreenDriver(RubixScreens(language: language, documents: documents, needsEmail: true)) {
      await performer.perform($0, $1)
    }
    await Terminal(driver).run(.started)
  }

  /// What the sample's customer agrees to; an institution has its own texts.
  private static let documents = [
    ConsentDocument(
      code: .terms, version: "2026-01", title: "Terms of the onboarding",
      text: "The bank checks your documents and your details before it opens an account."),
    ConsentDocument(
      code: .biometrics, version: "2026-01", title: "Pictures of your face",
      text: "The bank compares pictures of your face with the picture on your document."),
  ]

  /// Chosen once per folder.
  private static func deviceID(in folder: URL) throws -> String {
    let file = folder.appending(path: "device")
    if let kept = try? String(contentsOf: file, encoding: .utf8), !kept.isEmpty { return kept }
    let id = ClientRandomness.live.uuid().uuidString.lowercased()
    try Data(id.utf8).write(to: file, options: .atomic)
    return id
  }
}
