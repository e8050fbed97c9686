// SPDX-License-Identifier: Apache-2.0

import Kit
import OneAssistCore

extension PostalRules {
  /// The address as staff are shown it: that of `address`, without characters that turn the direction of writing or are
  /// not seen. Several lines stay.
  /// - Returns: nil also for an address with control characters (`DisplayedText`).
  static func displayedAddress(_ text: String) -> String? {
    address(DisplayedText.cleaned(text, lines: true)).flatMap { DisplayedText.isPlain($0, lines: true) ? $0 : nil }
  }
}
