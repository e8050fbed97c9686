// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// Body of `POST /agents/auth/token`; ours. The agent's token comes back in `x-access-token`.
public struct AgentLoginRequest: Codable, Sendable, Equatable {
  /// The agent's name for signing in.
  public var username: String
  /// The agent's password.
  public var password: String
  /// A code of the agent's authenticator app, or a recovery code; needed once the agent has one.
  public var otp: String?

  /// Creates the value from its members.
  public init(username: String, password: String, otp: String? = nil) {
    self.username = username
    self.password = password
    self.otp = otp
  }
}

/// Answer of `POST /agents/auth/token`; ours.
public struct AgentLoginResponse: Codable, Sendable, Equatable {
  /// The agent.
  public var agentID: String
  /// For the agent's screen.
  public var displayName: String
  /// What the agent may do.
  public var permissions: [AgentPermission]
  /// Seconds of life of the token.
  public var accessExpiresIn: Int

  /// Creates the value from its members.
  public init(agentID: String, displayName: String, permissions: [AgentPermission], accessExpiresIn: Int) {
    self.agentID = agentID
    self.displayName = displayName
    self.permissions = permissions
    self.accessExpiresIn = accessExpiresIn
  }

  enum CodingKeys: String, CodingKey {
    case agentID = "agent_id"
    case displayName = "display_name"
    case permissions
    case accessExpiresIn = "access_expires_in"
  }
}

/// What an agent may do. The first is published (rubix-onboarding §6.14), the others are ours.
public struct AgentPermission: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Hold calls and give verdicts.
  public static let attendVideo = AgentPermission(rawValue: "attend:video")
  /// Read the queue and the 360° view.
  public static let readCustomers = AgentPermission(rawValue: "read:customers")
  /// Decide on screening hits.
  public static let decideScreening = AgentPermission(rawValue: "decide:aml")
  /// Add agents and change permissions.
  public static let manageStaff = AgentPermission(rawValue: "manage:staff")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [AgentPermission] = [.attendVideo, .readCustomers, .decideScreening, .manageStaff]
}
