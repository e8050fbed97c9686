// SPDX-License-Identifier: Apache-2.0

internal import GatehouseWire
internal import SaltEdgeCore
internal import SaltEdgeWire

/// An entry of a service's list, read on the device. What cannot be decrypted, or is incomplete, is left out
/// (specification §10.6).
enum ListedAuthorization: Sendable {
  case open(Authorization)
  /// Final, without content.
  case over(Authorization.ID, AuthorizationState)
  /// Withdrawn, or decided elsewhere: not shown.
  case withdrawn(Authorization.ID)

  var id: Authorization.ID {
    switch self {
    case .open(let authorization): authorization.id
    case .over(let id, _), .withdrawn(let id): id
    }
  }

  init?(_ entity: SaltEdgeV1.Entity, connection guid: String, key: RSAPrivateKey) {
    guard entity.algorithm == nil || entity.algorithm == EncryptedPayload.algorithm,
      let read: SaltEdgeV1.Authorization = Self.read(entity.payload, key),
      // An entry that says it is another one is not shown under either name.
      entity.id == nil || entity.id?.text == read.id,
      let authorization = Authorization(
        .init(connection: guid, id: read.id), title: read.title, content: AuthorizationContent(read.description),
        created: read.createdAt, expires: read.expiresAt, state: .pending, code: read.code)
    else { return nil }
    self = .open(authorization)
  }

  init?(_ entity: SaltEdgeV2.Authorization, connection guid: String, key: RSAPrivateKey) {
    let id = Authorization.ID(connection: guid, id: entity.id.text)
    guard !entity.status.isClosed else {
      self = .withdrawn(id)
      return
    }
    guard let state = AuthorizationState(entity.status) else { return nil }
    guard !state.isFinal else {
      self = .over(id, state)
      return
    }
    guard let read: SaltEdgeV2.Content = Self.read(entity.payload, key),
      let authorization = Authorization(
        id, title: read.title, content: AuthorizationContent(read.description), created: read.createdAt,
        expires: read.expiresAt, state: state, code: read.code)
    else { return nil }
    self = .open(authorization)
  }

  private static func read<Content: Decodable>(_ payload: SaltEdge.Ciphertext, _ key: RSAPrivateKey) -> Content? {
    payload.text(with: key).flatMap { try? WireJSON.decode(Content.self, from: .init($0.utf8)) }
  }
}

extension Authorization {
  fileprivate init?(
    _ id: ID, title: String, content: AuthorizationContent, created: String, expires: String,
    state: AuthorizationState, code: String?
  ) {
    guard !id.id.isEmpty, let created = PayloadInstant.read(created), let expires = PayloadInstant.read(expires) else {
      return nil
    }
    self.init(
      id: id, title: PlainText.line(title), content: content, createdAt: created, expiresAt: expires, state: state,
      code: code)
  }
}
