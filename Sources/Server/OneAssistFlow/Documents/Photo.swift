import Kit
import OneAssistCore
import Storage

extension DocumentName: SQLConvertible {}
extension DocumentStatus: SQLConvertible {}
extension CodeVerdict: SQLConvertible {}

/// A photo that was taken in. Its picture is the blob of the same id.
package struct Photo: Sendable {
  package typealias ID = Identifier<Photo>

  package let id: ID
  package let membership: Membership.ID
  package let name: DocumentName
  /// Never `missing`.
  package var status: DocumentStatus
  /// Why it was refused, in words for the person who takes it again.
  package var reason: String?
  /// Of a photo of the secure screen.
  package var verdict: CodeVerdict?
  let fileDigest: String
  let uploadedAt: Instant
  var version = 0

  /// What its blob is sealed for, so that it opens nowhere else.
  static func context(_ id: ID) -> String { "oneassist_document:\(id)" }
}
