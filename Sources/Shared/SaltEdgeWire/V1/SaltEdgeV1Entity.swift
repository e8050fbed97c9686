// SPDX-License-Identifier: Apache-2.0

extension SaltEdgeV1 {
  /// An authorization or a consent, encrypted for one device (§4.6, §4.9).
  public struct Entity: Codable, Sendable, Equatable {
    /// Of the authorization or the consent; nil in old messages.
    public var id: SaltEdge.TextID?
    /// Whose key it is encrypted for; nil in old messages.
    public var connectionID: SaltEdge.TextID?
    /// `AES-256-CBC`, or nil.
    public var algorithm: String?
    /// What only the device can read.
    public var payload: SaltEdge.Ciphertext

    /// Creates the value from its members.
    public init(
      id: SaltEdge.TextID?, connectionID: SaltEdge.TextID?, algorithm: String? = "AES-256-CBC",
      payload: SaltEdge.Ciphertext
    ) {
      self.id = id
      self.connectionID = connectionID
      self.algorithm = algorithm
      self.payload = payload
    }

    private enum CodingKeys: String, CodingKey {
      case id, algorithm
      case connectionID = "connection_id"
    }

    /// Reads the entity and, beside its own members, those of the payload.
    public init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: CodingKeys.self)
      id = try members.decodeIfPresent(SaltEdge.TextID.self, forKey: .id)
      connectionID = try members.decodeIfPresent(SaltEdge.TextID.self, forKey: .connectionID)
      algorithm = try members.decodeIfPresent(String.self, forKey: .algorithm)
      payload = try SaltEdge.Ciphertext(from: decoder)
    }

    /// Writes all members side by side.
    public func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: CodingKeys.self)
      try members.encodeIfPresent(id, forKey: .id)
      try members.encodeIfPresent(connectionID, forKey: .connectionID)
      try members.encodeIfPresent(algorithm, forKey: .algorithm)
      try payload.encode(to: encoder)
    }
  }
}
