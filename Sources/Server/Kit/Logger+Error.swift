// SPDX-License-Identifier: Apache-2.0

import Logging
import Storage

extension Logger.Metadata {
  /// What the log is told of an error: its type, because a text may quote a value, and its case where that has a name.
  /// Of an error of the store also what the engine says of it, which `SQLError` never lets hold a value. Each is one
  /// word: the log withholds more.
  package static func error(_ error: any Error) -> Logger.Metadata {
    if let error = error as? any CaseNamedError {
      let name = "\(type(of: error)).\(error.caseName)"
      return ["error": "\(name.asWord)"]
    }
    guard let error = error as? SQLError else { return ["error": "\(String(describing: type(of: error)).asWord)"] }
    var metadata: Logger.Metadata = ["error": "SQLError.\(error.name)"]
    if let reason = error.reason, !reason.isEmpty { metadata["store.reason"] = "\(reason.asWord)" }
    return metadata
  }
}

extension String {
  /// Everything but letters, digits and a few marks as one dash.
  fileprivate var asWord: String {
    String(replacing(#/[^A-Za-z0-9_.:,()<>-]+/#, with: "-").prefix(200))
  }
}
