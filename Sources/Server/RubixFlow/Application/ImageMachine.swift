import Foundation
import Kit
import RubixWire
import Storage

/// How one image moves. An image that is pending has no row yet: its first move inserts it, in the place of the one
/// before it; later moves are guarded by the state that it had.
struct ImageMachine: StateMachine {
  typealias Subject = CapturedImage
  typealias State = ImageState
  typealias Event = ImageEvent
  typealias Effect = ImageEffect

  private let vault: Vault
  private let tenant: Tenant
  private let from: ImageState
  private let hints: Data?

  /// - Parameters:
  ///   - image: the image before the move.
  ///   - hints: the app's own reading, sealed, of an image that has no row yet.
  init(_ image: CapturedImage, of tenant: Tenant, hints: Data? = nil, vault: Vault) {
    (self.vault, self.tenant, self.hints, from) = (vault, tenant, hints, image.state)
  }

  var flow: String { "image" }
  var table: TransitionTable<ImageState, ImageEvent, ImageEffect> { imageFlow }
  var state: WritableKeyPath<CapturedImage, ImageState> { \.state }

  func save(_ image: inout CapturedImage, in tx: any SQLTransaction) throws {
    let store = ImageStore(tx, vault: vault)
    if from == .pending {
      try store.insert(image, clientHints: hints)
    } else {
      try store.setState(image.state, of: image.id, from: from)
    }
  }

  /// Only what came of a reading has its own line; an image that is taken is named by the move of its application.
  func auditEntry(for move: Move, of image: CapturedImage) -> AuditEntry? {
    guard move.from == .processing, move.event != .replaced, let kind = DocumentKind(documentType: image.type) else {
      return nil
    }
    return AuditEntry(
      "document.\(move.to.rawValue.lowercased())", chain: image.application.rawValue,
      facts: ["kind": kind.rawValue, "image": image.id.rawValue])
  }

  func owedEffect(_ effect: ImageEffect, for move: Move, of image: CapturedImage) -> OwedEffect? {
    OwedEffect("rubix.\(effect.rawValue)", subject: image.id.rawValue, payload: tenant.id)
  }
}
