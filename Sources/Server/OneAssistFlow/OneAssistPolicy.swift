// SPDX-License-Identifier: Apache-2.0

import Kit

/// Every number that the specification leaves to implementations (oneassist §6, §7.4, §8, §9).
package struct OneAssistPolicy: Sendable {
  /// Where second devices reach this server: scheme, host, port and path prefix, without a slash at its end.
  package var publicURL = "http://127.0.0.1:8080"
  /// Who texts the link: named in the message.
  package var senderName = "Gatehouse"
  /// Of an SDK token: from its last use, and from its issue (§9.2).
  package var tokenLifetime = Duration.minutes(30)
  package var tokenLifetimeMax = Duration.hours(8)
  package var tokensMax = 5
  /// Between two links, in an hour, and in all (§6).
  package var linkPause = Duration.seconds(30)
  package var linksPerHour = 5
  package var linksMax = 15
  package var linkLifetime = Duration.hours(24)
  /// Of a secure screen's key (§7.4).
  package var screenLifetime = Duration.seconds(900)
  package var screenStep = Duration.seconds(1)
  /// Keys of the secure screen for one membership: opened, renewed, back from the background.
  package var screensPerHour = 30
  /// How old a code in a photo may be, and how far ahead of us its clock may run (§7.4).
  package var codeAgeMax = Duration.minutes(15)
  package var codeAheadMax = Duration.seconds(5)
  /// For photos to be in, from the purchase (§8.1).
  package var documentsWindow = Duration.days(30)
  /// Photos that are taken in for one membership, those that others replaced included.
  package var photosMax = 60
  /// Photos that one membership may send for inspection, whatever becomes of them.
  package var uploads = RateLimit("oneassist-uploads", 20, per: .minutes(1))
  /// The tenants in which two persons decide on a membership (four eyes).
  package var tenantsOfTwo: Set<String> = []
  /// How often a review may ask for photos again.
  package var reuploadsMax = 3
  /// Codes of another phone in photos, from which on a reviewer is warned (§7.4).
  package var mismatchesSuspicious = 2
  /// How long a membership that ended is kept.
  package var retention = Duration.days(90)
  /// Whether numbers for tests are IMEIs: in a sandbox only (§5.2).
  package var acceptsTestIMEIs = false
  /// Recognitions of text that one customer asks for: a sheet is read once, and again when it was cut off.
  package var recognitions = RateLimit("oneassist-recognitions", 10, per: .minutes(1))
  /// Invalid tokens and links that one address may present.
  package var refusals = RateLimit("oneassist-refusals", 60, per: .minutes(1))

  package init() {}

  /// Bytes of a request without a photo, and of one with it (§6.1: a photo of 5 MiB at most).
  static let bodyMax = 64 * 1024
  package static let photoMax = 5 * 1024 * 1024
  static let formMax = photoMax + 64 * 1024
  /// Pixels of a photo's longer side.
  static let photoSideMin = 1000
  package static let pageMax = 100
}
