// SPDX-License-Identifier: Apache-2.0

import Finaptic
import Foundation

/// What the command line and the environment say.
struct SampleChoices {
  static let usage = """
    Usage: FinapticSample [--sdk-key KEY] [--bundle ID] [--front FILE] [--back FILE] [--selfie FILE]
                          [--email ADDRESS] [--password PASSWORD] [--first-name NAME] [--middle-name NAME]
                          [--last-name NAME]
    The SDK key may come from FINAPTIC_SDK_KEY instead. Pictures are JPEG or PNG below 4 MB; without them the sample
    makes its own, which a sandbox takes. Without an address a new one is made up, because no address signs up twice.
    """

  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  var sdkKey = ""
  var bundle = "prepaidV1"
  var front: String?
  var back: String?
  var selfie: String?
  var email = ""
  var password = "Quartz7Lantern!@#$"
  var firstName = "COMPANY"
  var middleName: String?
  var lastName = "SAMPLE"

  /// Tokens are forgotten with the program: each run is another customer.
  var options: FinapticOptions { FinapticOptions(store: MemorySecureStore()) }

  init(
    arguments: [String], environment: [String: String], randomness: ClientRandomness = .live
  ) throws(Fault) {
    sdkKey = environment["FINAPTIC_SDK_KEY"] ?? ""
    email = "sample+\(randomness.uuid().uuidString.lowercased().prefix(13))@example.ca"
    var rest = arguments[...]
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else { throw Fault(description: "\(name) needs a value.") }
      switch name {
      case "--sdk-key": sdkKey = value
      case "--bundle": bundle = value
      case "--front": front = value
      case "--back": back = value
      case "--selfie": selfie = value
      case "--email": email = value
      case "--password": password = value
      case "--first-name": firstName = value
      case "--middle-name": middleName = value
      case "--last-name": lastName = value
      default: throw Fault(description: "There is no \(name).")
      }
    }
    guard !sdkKey.isEmpty else { throw Fault(description: "There is no SDK key.") }
  }
}
