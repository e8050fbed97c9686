// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a command tells beside its result. Where that cannot be written, as into a file on a full disk, the command
/// goes on: Foundation's `write(_:)` would end the process as a defect of the program does.
enum StandardError {
  static func write(_ words: String) { try? FileHandle.standardError.write(contentsOf: Data(words.utf8)) }
}
