// SPDX-License-Identifier: Apache-2.0

/// What photos there are (specification §6.1). The raw value is the word on the wire.
public enum DocumentName: String, Sendable, Hashable, CaseIterable {
  /// The front of the phone, its secure screen lit.
  case screenImage = "SCREEN_IMAGE"
  /// The back of the phone.
  case backImage = "BACK_IMAGE"
  /// The system's sheet of identifiers, uploaded by the SDK.
  case imeiScreenshot = "IMEI_SCREENSHOT"
  /// The bill.
  case invoiceImage = "INVOICE_IMAGE"
}

/// Where a photo stands (specification §6.1). The raw value is the word on the wire.
public enum DocumentStatus: String, Sendable, Hashable, CaseIterable {
  case missing = "PN"
  case uploaded = "UP"
  case accepted = "AC"
  /// To be taken again, for the reason beside it.
  case refused = "RJ"
}

/// What the code in a photo of the secure screen proved (specification §7.4). The raw value is the word on the wire.
public enum CodeVerdict: String, Sendable, Hashable, CaseIterable {
  /// A code of this activation, of the right time, seen for the first time.
  case verified
  /// It was one of this activation, but at another time, or it was taken before.
  case expired
  /// Readable, and none of this activation.
  case mismatch
  /// Not readable: a person decides.
  case unreadable
}
