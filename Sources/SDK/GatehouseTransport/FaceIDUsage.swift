// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// What an app's Info.plist says about Face ID. The system ends an app that asks for a face without having said why.
package enum FaceIDUsage {
  /// Apple's Information Property List Key Reference.
  package static let key = "NSFaceIDUsageDescription"

  /// Whether there is something for the user to read.
  package static func isDescribed(in properties: [String: Any]) -> Bool {
    (properties[key] as? String)?.contains { !$0.isWhitespace } == true
  }

  /// Whether this app says it.
  package static var isDescribed: Bool { isDescribed(in: Bundle.main.infoDictionary ?? [:]) }
}
