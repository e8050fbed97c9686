// SPDX-License-Identifier: Apache-2.0

extension SaltEdgeV2 {
  /// An authorization, encrypted for one device (§5.6).
  public struct Authorization: Codable, Sendable, Equatable {
    /// The authorization.
    public var id: SaltEdge.NumberID
    /// Whose key it is encrypted for.
    public var connectionID: SaltEdge.NumberID
    /// The state of the authorization.
    public var status: AuthorizationStatus
    /// What only the device can read; `none` when it is final or closed.
    public var payload: SaltEdge.Ciphertext
    /// RFC 3339 in UTC, when it is final.
    public var finishedAt: String?

    /// Creates the value from its members.
    public init(
      id: SaltEdge.NumberID, connectionID: SaltEdge.NumberID, status: AuthorizationStatus,
      payload: SaltEdge.Ciphertext, finishedAt: String? = nil
    ) {
      self.id = id
      self.connectionID = connectionID
      self.status = status
      self.payload = payload
      self.finishedAt = finishedAt
    }

    private enum CodingKeys: String, CodingKey {
      case id, status
      case connectionID = "connection_id"
      case finishedAt = "finished_at"
    }

    /// Reads the entity and, beside its own members, those of the payload.
    public init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: CodingKeys.self)
      id = try members.decode(SaltEdge.NumberID.self, forKey: .id)
      connectionID = try members.decode(SaltEdge.NumberID.self, forKey: .connectionID)
      status = try members.decode(AuthorizationStatus.self, forKey: .status)
      finishedAt = try members.decodeIfPresent(String.self, forKey: .finishedAt)
      payload = try SaltEdge.Ciphertext(from: decoder)
    }

    /// Writes all members side by side.
    public func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: CodingKeys.self)
      try members.encode(id, forKey: .id)
      try members.encode(connectionID, forKey: .connectionID)
      try members.encode(status, forKey: .status)
      try members.encodeIfPresent(finishedAt, forKey: .finishedAt)
      try payload.encode(to: encoder)
    }
  }

  /// A consent, encrypted for one device (§5.9). Its ids are texts: iOS reads it as v1's.
  public typealias ConsentEntity = SaltEdgeV1.Entity
}
