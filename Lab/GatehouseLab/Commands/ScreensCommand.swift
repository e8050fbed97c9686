import ArgumentParser
import GatehouseUI
import ScreenSpecimens

/// `gatehouse-lab screens`: every state of every screen of the apps, as text.
struct ScreensCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "screens",
    abstract: "Print every state of every screen of the Authenticator, found by trying every event in every state.")

  @Option(help: "The language of the screens: en, fr or ar.")
  var language = "en"

  @Option(help: "Only screens whose name begins so, such as authorization.")
  var only = ""

  func validate() throws {
    guard ScreenLanguage(rawValue: language) != nil else { throw ValidationError("--language is en, fr or ar") }
  }

  func run() throws {
    let text = ScreenWalk().text(ScreenLanguage(rawValue: language) ?? .english, only: only)
    guard !text.isEmpty else { throw ValidationError("no screen's name begins with \(only)") }
    print(text, terminator: "")
  }
}
