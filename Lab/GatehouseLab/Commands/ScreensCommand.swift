// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import GatehouseUI
import ScreenSpecimens

/// `gatehouse-lab screens`: every state of every screen of the apps, as text.
struct ScreensCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "screens",
    abstract: "Print every state of every screen of an app, found by trying every event in every state.")

  /// Whose screens.
  enum App: String, CaseIterable, ExpressibleByArgument {
    case authenticator, rubix, wultra, oneassist, finaptic
  }

  @Option(help: "The app: authenticator, rubix, wultra, oneassist or finaptic.")
  var app = App.authenticator

  @Option(help: "The language of the screens: en, fr or ar.")
  var language = "en"

  @Option(help: "Only screens whose name begins so, such as authorization.")
  var only = ""

  func validate() throws {
    guard ScreenLanguage(rawValue: language) != nil else { throw ValidationError("--language is en, fr or ar") }
  }

  func run() throws {
    let spoken = ScreenLanguage(rawValue: language) ?? .english
    let text =
      switch app {
      case .authenticator: ScreenWalk().text(spoken, only: only)
      case .rubix: RubixSpecimen.walk().text(spoken, only: only)
      case .wultra: WultraSpecimen.walk().text(spoken, only: only)
      case .oneassist: OneAssistSpecimen.walk().text(spoken, only: only)
      case .finaptic: FinapticSpecimen.walk().text(spoken, only: only)
      }
    guard !text.isEmpty else { throw ValidationError("no screen's name begins with \(only)") }
    print(text, terminator: "")
  }
}
