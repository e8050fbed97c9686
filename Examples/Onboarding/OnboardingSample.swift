import Foundation
import GatehouseUI
import OnboardingUI
import RubixOnboarding

/// The onboarding of a Rubix customer as a program of a terminal: the same screens as in an app, told by lines instead of
/// touched, with pictures from files instead of a camera. Leaves with 0 when its input ends, 64 for wrong arguments and 1
/// when the folder cannot be used.
@main
struct OnboardingSample {
  static func main() async {
    let choices: SampleChoices
    do { choices = try SampleChoices(Array(CommandLine.arguments.dropFirst())) } catch {
      say("\(error)\n\n\(SampleChoices.usage)\n")
      exit(64)
    }
    do { try await Terminal(choices).run() } catch {
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
    Usage: OnboardingSample --bank ADDRESS --data FOLDER [--tenant NAME] [--language en|fr|ar]
    The session is kept in the folder, sealed by a key that lies beside it. Lines of the input:
      press ID         presses a button, a row or a switch, or goes back
      type ID TEXT     types into a field
      photo FILE       takes a picture, PNG or JPEG, where a camera is shown
      see SUBJECT EXTENT SHARPNESS GLARE
                       tells the screen what the camera measures: missing, cut or whole, and three numbers from 0 to 1
      wait ID          waits until ID can be used, or until the screen is called so
      show             prints the screen again
      quit             ends the program
    """

  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  let bank: URL
  let folder: String
  let tenant: String?
  let language: ScreenLanguage

  init(_ arguments: [String]) throws(Fault) {
    var values: [String: String] = [:]
    var rest = arguments[...]
    while let name = rest.popFirst() {
      guard ["--bank", "--data", "--tenant", "--language"].contains(name) else {
        throw Fault(description: "There is no \(name).")
      }
      guard let value = rest.popFirst(), !value.isEmpty else { throw Fault(description: "\(name) needs a value.") }
      values[name] = value
    }
    guard let folder = values["--data"] else { throw Fault(description: "--data is missing.") }
    guard let bank = values["--bank"].flatMap({ URL(string: $0) }), bank.scheme != nil, bank.host != nil else {
      throw Fault(description: "--bank needs an address such as https://bank.example.")
    }
    guard let language = ScreenLanguage(rawValue: values["--language"] ?? "en") else {
      throw Fault(description: "The languages are en, fr and ar.")
    }
    (self.bank, self.folder, tenant, self.language) = (bank, folder, values["--tenant"], language)
  }
}
