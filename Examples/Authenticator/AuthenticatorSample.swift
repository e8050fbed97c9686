import AuthenticatorUI
import Foundation
import GatehouseUI
import SaltEdgeAuthenticator

/// The Authenticator as a program of a terminal: the same screens as in an app, told by lines instead of touched.
/// Leaves with 0 when its input ends, 64 for wrong arguments and 1 when the store cannot be opened.
@main
struct AuthenticatorSample {
  static func main() async {
    let choices: SampleChoices
    do { choices = try SampleChoices(Array(CommandLine.arguments.dropFirst())) } catch {
      say("\(error)\n\n\(SampleChoices.usage)\n")
      exit(64)
    }
    do {
      try await Terminal(choices).run()
    } catch {
      say("The folder cannot be used: \(error)\n")
      exit(1)
    }
  }
}

/// Prints at once, whoever reads.
func say(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) }

/// What the command line says.
struct SampleChoices {
  static let usage = """
    Usage: AuthenticatorSample --data FOLDER [--language en|fr|ar]
    What is connected is kept in the folder, sealed by a key that lies beside it. Lines of the input:
      press ID         presses a button, a row, a switch or a tab, or goes back
      type ID TEXT     types into a field
      scan FILE        shows the camera a picture, PNG or JPEG, with a QR code
      open LINK        opens a link of the app
      end ADDRESS      the bank's page went to this address
      leave            leaves the bank's page
      wait ID          waits until ID can be used, or until the screen is called so
      show             prints the screen again
      quit             ends the program
    """

  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  var folder = ""
  var language: ScreenLanguage?

  init(_ arguments: [String]) throws(Fault) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else { throw Fault(description: "\(name) needs a value.") }
      switch name {
      case "--data": folder = value
      case "--language":
        guard let language = ScreenLanguage(rawValue: value) else {
          throw Fault(description: "The languages are en, fr and ar.")
        }
        self.language = language
      default: throw Fault(description: "There is no \(name).")
      }
    }
    guard !folder.isEmpty else { throw Fault(description: "--data is missing.") }
  }
}
