// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Which PIN codes there are.
package struct PinCodeDirectory: Sendable {
  /// - Precondition: the text is six digits.
  package let knows: @Sendable (String) -> Bool

  package init(knows: @escaping @Sendable (String) -> Bool) { self.knows = knows }

  /// Without a list: by the first two digits, which name a postal circle. Those that name none are no PIN codes.
  package static let circles = PinCodeDirectory { pinCode in
    Int(pinCode.prefix(2)).map { number in assigned.contains { $0.contains(number) } } ?? false
  }

  /// Delhi to Jammu and Kashmir; Uttar Pradesh; Rajasthan and Gujarat; Maharashtra to Chhattisgarh; Andhra Pradesh,
  /// Telangana; Karnataka, Tamil Nadu and Kerala; West Bengal to the North-East; Bihar and Jharkhand; field post offices.
  private static let assigned: [ClosedRange<Int>] = [
    11...28, 30...34, 36...49, 50...53, 56...64, 67...79, 80...85, 90...99,
  ]

  /// - Parameter list: one PIN code a line; other lines are ignored.
  package static func listed(_ list: String) -> PinCodeDirectory {
    let known = Set(
      list.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { $0.utf8.count == 6 })
    return PinCodeDirectory { known.contains($0) }
  }
}
