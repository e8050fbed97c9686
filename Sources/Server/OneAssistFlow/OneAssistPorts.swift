import Foundation
import Kit
import OneAssistCore

/// What this room asks of others (oneassist §10).
package struct OneAssistPorts: Sendable {
  /// Measures a photo and makes it one of ours.
  package var photos: PhotoInspector
  /// Reads the text of a picture; nil where nothing can.
  package var recogniseText: (@Sendable (Data) async throws -> String)?
  /// Reads the code on a photographed secure screen.
  package var readCode: ScreenCodeReader
  package var pinCodes: PinCodeDirectory
  package var types: TypeDirectory
  package var blacklist: Blacklist
  /// Tells a partner's server.
  package var tellPartner: PartnerClient

  package init(
    photos: PhotoInspector, recogniseText: (@Sendable (Data) async throws -> String)? = nil,
    readCode: ScreenCodeReader = .absent, pinCodes: PinCodeDirectory = .circles, types: TypeDirectory = .synthetic,
    blacklist: Blacklist = .absent, tellPartner: PartnerClient
  ) {
    (self.photos, self.recogniseText, self.readCode) = (photos, recogniseText, readCode)
    (self.pinCodes, self.types, self.blacklist, self.tellPartner) = (pinCodes, types, blacklist, tellPartner)
  }
}

/// Takes a photo in: decodes it, measures it, encodes it anew so that nothing but pixels is kept.
package struct PhotoInspector: Sendable {
  package struct Photo: Sendable {
    /// JPEG.
    package let bytes: Data
    package let isBlank: Bool
    package let isBlurred: Bool

    package init(bytes: Data, isBlank: Bool = false, isBlurred: Bool = false) {
      (self.bytes, self.isBlank, self.isBlurred) = (bytes, isBlank, isBlurred)
    }
  }

  /// - Throws: `Problem` when it is no photo, or too large or too small.
  package let inspect: @Sendable (_ bytes: Data) async throws -> Photo

  package init(inspect: @escaping @Sendable (Data) async throws -> Photo) { self.inspect = inspect }
}

/// Reads eleven digits from a photo of the secure screen.
package struct ScreenCodeReader: Sendable {
  /// Nil when they cannot be read for certain: a person looks.
  package let read: @Sendable (_ jpeg: Data) async throws -> String?

  package init(read: @escaping @Sendable (Data) async throws -> String?) { self.read = read }

  /// Reads nothing: every photo goes to a person.
  package static let absent = ScreenCodeReader { _ in nil }
}

/// The line to partners' servers. Repetitions of an event carry the same id.
package struct PartnerClient: Sendable {
  /// To a partner with a webhook.
  /// - Throws: a `FinalFailure` when repeating cannot help, anything else when it may.
  package let tell: @Sendable (Partner, _ secret: String, _ event: StatusEvent) async throws -> Void

  package init(tell: @escaping @Sendable (Partner, String, StatusEvent) async throws -> Void) { self.tell = tell }
}
