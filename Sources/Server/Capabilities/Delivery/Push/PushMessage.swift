// SPDX-License-Identifier: Apache-2.0

import Kit

/// One notification on its way to one device.
package struct PushMessage: Sendable, Equatable {
  /// Whose service delivers to the device; named as the devices name it.
  package enum Platform: String, Sendable, CaseIterable {
    case apple = "ios"
    case google = "android"
  }

  /// Something that the app reads.
  package enum Datum: Sendable, Equatable {
    case text(String)
    case number(Int64)

    package var text: String {
      switch self {
      case .text(let text): text
      case .number(let number): String(number)
      }
    }
  }

  package let platform: Platform
  /// What the service knows the device by. As good as an address: never in a log.
  package let token: String
  /// Stands on locked screens: nothing that others may not read.
  package let title: String
  package let body: String
  package let data: [String: Datum]
  /// Names what it is about: a later notification of the same name takes the earlier one's place on the device, so a
  /// repetition is not seen. At most 64 bytes.
  package let name: String
  /// After that it is not delivered any more.
  package let expiresAt: Instant
  /// BCP 47, of title and body.
  package let locale: String
  /// Where Apple's devices find the data.
  package var place = Place.notification
  /// Id of the customer whom it is about; for the server's own records, never sent.
  package var about: String?

  package enum Place: Sendable {
    /// In `aps.data` (saltedge-authenticator §9.2).
    case notification
    /// Beside `aps`, each datum a member (finaptic §8.9).
    case top
  }

  package init(
    _ platform: Platform, to token: String, title: String, body: String, data: [String: Datum], name: String,
    expiresAt: Instant, locale: String
  ) {
    (self.platform, self.token, self.title, self.body) = (platform, token, title, body)
    (self.data, self.name, self.expiresAt, self.locale) = (data, name, expiresAt, locale)
  }
}
