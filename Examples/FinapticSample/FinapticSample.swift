// SPDX-License-Identifier: Apache-2.0

import Finaptic
import Foundation

/// Plays the onboarding of one customer once, from the SDK key to the opened account and card, and says what happens.
/// Leaves with 0 only when the application was processed.
@main
struct FinapticSample {
  static func main() async {
    let choices: SampleChoices
    do {
      choices = try SampleChoices(
        arguments: Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment)
    } catch {
      say("\(error)\n\n\(SampleChoices.usage)")
      exit(64)
    }
    do {
      let sdk = try await FinapticSDK.initialize(sdkKey: choices.sdkKey, options: choices.options)
      say("Initialised: the server knows the SDK key.")
      let status = try await SampleOnboarding(sdk: sdk, choices: choices).play()
      say("The application stands at: \(status)")
      exit(status == .applicationProcessed ? 0 : 1)
    } catch let error as FinapticError {
      report(error)
      exit(1)
    } catch {
      say("Failed: \(error)")
      exit(1)
    }
  }

  private static func report(_ error: FinapticError) {
    say("Failed: \(error)")
    for violation in error.fieldViolations { say("  \(violation.field): \(violation.description)") }
    if let cause = error.cause { say("  cause: \(cause)") }
    if let reference = error.refNumber { say("  reference for support: \(reference)") }
    switch error.code {
    case .invalidArgument where error.cause != nil, .unauthenticated:
      say("Check that the SDK key is the one that the bank gave you, all of it.")
    case .unavailable, .deadlineExceeded: say("Check the network, and that the server of the SDK key is running.")
    default: break
    }
  }
}

/// A line of the sample's own, before those of the SDK.
func say(_ line: String) {
  try? FileHandle.standardOutput.write(contentsOf: Data("[Sample] \(line)\n".utf8))
}
