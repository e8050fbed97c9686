// SPDX-License-Identifier: Apache-2.0

import AuthenticatorUI
import Evidence
import Foundation
import GatehouseUI
import SaltEdgeAuthenticator
import ScreenTerminal

/// The Authenticator as a program of a terminal: the same screens as in an app, told by lines instead of touched.
/// Leaves with 0 when its input ends, 64 for wrong arguments and 1 when the store cannot be opened.
@main
struct AuthenticatorSample {
  private typealias Terminal = ScreenTerminal<AuthenticatorScreens>

  static func main() async {
    let usage = """
      Usage: AuthenticatorSample --data FOLDER [--language en|fr|ar]
      What is connected is kept in the folder, sealed by a key that lies beside it. \(Terminal.usage)
        scan FILE        shows the camera a picture, PNG or JPEG, with a QR code
        open LINK        opens a link of the app
      """
    await SampleOptions.main(usage) { try await run(SampleOptions($0)) }
  }

  @MainActor
  private static func run(_ options: SampleOptions) async throws {
    let store = try options.store()
    let languageFile = options.folder.appending(path: "language")
    let kept = (try? String(contentsOf: languageFile, encoding: .utf8)).map { ScreenLanguage(tag: $0) }
    let language = try options.language() ?? kept ?? .english
    let signIn = SignInPresenter()
    var setup = AuthenticatorSetup(
      device: DeviceDescription(
        app: "AuthenticatorSample", version: "1.0", build: "1", model: "Terminal", system: "Linux"),
      signInPage: signIn.page)
    setup.language = language.rawValue
    let ports = AuthenticatorPorts(
      keepLanguage: { try? Data($0.rawValue.utf8).write(to: languageFile) },
      leave: { address in
        say(address.map { "Leaves to \($0.absoluteString)\n" } ?? "Leaves the app\n")
        exit(0)
      })
    let performer = AuthenticatorPerformer(Authenticator(setup, store: store), signIn: signIn, ports: ports)
    let driver = ScreenDriver(AuthenticatorScreens(language: language, version: "1.0")) {
      await performer.perform($0, $1)
    }
    await Terminal(
      driver,
      more: [
        "scan": { path, screen in
          guard let text = Terminal.picture(path).flatMap({ try? QRCode.text(in: $0) }) else {
            return .complaint("There is no code in this picture.")
          }
          return screen.scan(text).map { .event($0) } ?? .complaint("No camera is shown.")
        },
        "open": { link, _ in .event(.opened(.link(link))) },
      ]
    ).run(.started)
  }
}
