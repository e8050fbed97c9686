// SPDX-License-Identifier: Apache-2.0

import Kit

extension SettingsError {
  /// Behind the name of a file, why it was of no use.
  static let unread =
    "cannot be read: it is not there, or this user may not; a relative path begins in the working folder"
}
