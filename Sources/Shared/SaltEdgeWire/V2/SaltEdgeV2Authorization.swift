// SPDX-License-Identifier: Apache-2.0

extension SaltEdgeV2 {
  /// What is to be confirmed or denied, once decrypted (§5.6).
  public struct Content: Codable, Sendable, Equatable {
    /// For people.
    public var title: String
    /// What it is about.
    public var description: Description
    /// To be sent back.
    public var code: String?
    /// RFC 3339 in UTC.
    public var createdAt: String
    /// RFC 3339 in UTC.
    public var expiresAt: String

    /// Creates the value from its members.
    public init(title: String, description: Description, code: String? = nil, createdAt: String, expiresAt: String) {
      self.title = title
      self.description = description
      self.code = code
      self.createdAt = createdAt
      self.expiresAt = expiresAt
    }

    enum CodingKeys: String, CodingKey {
      case title
      case description
      case code = "authorization_code"
      case createdAt = "created_at"
      case expiresAt = "expires_at"
    }
  }

  /// What an authorization is about: at least one member is there (§5.6).
  public struct Description: Codable, Sendable, Equatable {
    /// Plain text.
    public var text: String?
    /// iOS shows only this when it is there.
    public var html: String?
    /// What is paid.
    public var payment: Payment?
    /// Where it was asked for.
    public var extra: Extra?

    /// Creates the value from its members.
    public init(text: String? = nil, html: String? = nil, payment: Payment? = nil, extra: Extra? = nil) {
      self.text = text
      self.html = html
      self.payment = payment
      self.extra = extra
    }
  }

  /// What is paid, as it is shown, in this order (§5.6).
  public struct Payment: Codable, Sendable, Equatable {
    /// Who gets it.
    public var payee: String?
    /// With its currency.
    public var amount: String?
    /// Of the payee.
    public var account: String?
    /// When.
    public var paymentDate: String?
    /// What for.
    public var reference: String?
    /// What it costs.
    public var fee: String?
    /// When currencies differ.
    public var exchangeRate: String?
    /// In the bank's words. The Android app reads it, the iOS app does not.
    public var description: String?

    /// Creates the value from its members.
    public init(
      payee: String? = nil, amount: String? = nil, account: String? = nil, paymentDate: String? = nil,
      reference: String? = nil, fee: String? = nil, exchangeRate: String? = nil, description: String? = nil
    ) {
      self.payee = payee
      self.amount = amount
      self.account = account
      self.paymentDate = paymentDate
      self.reference = reference
      self.fee = fee
      self.exchangeRate = exchangeRate
      self.description = description
    }

    enum CodingKeys: String, CodingKey {
      case payee
      case amount
      case account
      case paymentDate = "payment_date"
      case reference
      case fee
      case exchangeRate = "exchange_rate"
      case description
    }
  }

  /// Where something was asked for, as it is shown, in this order (§5.6).
  public struct Extra: Codable, Sendable, Equatable {
    /// When.
    public var actionDate: String?
    /// On what.
    public var device: String?
    /// Where.
    public var location: String?
    /// From which address.
    public var ip: String?

    /// Creates the value from its members.
    public init(actionDate: String? = nil, device: String? = nil, location: String? = nil, ip: String? = nil) {
      self.actionDate = actionDate
      self.device = device
      self.location = location
      self.ip = ip
    }

    enum CodingKeys: String, CodingKey {
      case actionDate = "action_date"
      case device
      case location
      case ip
    }
  }

  /// Confirms or denies, for the bank alone to read (§5.7).
  public struct Confirmation: Codable, Sendable, Equatable {
    /// As it was shown.
    public var code: String?
    /// `biometrics`, `passcode` or `unknown`.
    public var userAuthorizationType: String?
    /// `GEO:lat;lon` in decimal degrees.
    public var geolocation: String?

    /// Creates the value from its members.
    public init(code: String? = nil, userAuthorizationType: String? = nil, geolocation: String? = nil) {
      self.code = code
      self.userAuthorizationType = userAuthorizationType
      self.geolocation = geolocation
    }

    enum CodingKeys: String, CodingKey {
      case code = "authorization_code"
      case userAuthorizationType = "user_authorization_type"
      case geolocation
    }
  }

  /// Answers a decision (§5.7).
  public struct Decided: Codable, Sendable, Equatable {
    /// The authorization.
    public var id: SaltEdge.NumberID
    /// Where it stands now.
    public var status: AuthorizationStatus

    /// Creates the value from its members.
    public init(id: SaltEdge.NumberID, status: AuthorizationStatus) {
      self.id = id
      self.status = status
    }
  }

  /// Submits an instant action (§5.8).
  public struct ActionSubmission: Codable, Sendable, Equatable {
    /// The bank.
    public var providerID: SaltEdge.TextID
    /// As the QR code has it.
    public var actionID: SaltEdge.TextID
    /// Which connection.
    public var connectionID: SaltEdge.TextID

    /// Creates the value from its members.
    public init(providerID: SaltEdge.TextID, actionID: SaltEdge.TextID, connectionID: SaltEdge.TextID) {
      self.providerID = providerID
      self.actionID = actionID
      self.connectionID = connectionID
    }

    enum CodingKeys: String, CodingKey {
      case providerID = "provider_id"
      case actionID = "action_id"
      case connectionID = "connection_id"
    }
  }

  /// Answers it; without ids when nothing has to be confirmed (§5.8).
  public struct ActionSubmitted: Codable, Sendable, Equatable {
    /// Whose authorization it is.
    public var connectionID: SaltEdge.NumberID?
    /// What has to be confirmed still.
    public var authorizationID: SaltEdge.NumberID?

    /// Creates the value from its members.
    public init(connectionID: SaltEdge.NumberID? = nil, authorizationID: SaltEdge.NumberID? = nil) {
      self.connectionID = connectionID
      self.authorizationID = authorizationID
    }

    enum CodingKeys: String, CodingKey {
      case connectionID = "connection_id"
      case authorizationID = "authorization_id"
    }
  }

  /// Answers the revocation of a consent (§5.9).
  public struct ConsentRevoked: Codable, Sendable, Equatable {
    /// The consent.
    public var id: SaltEdge.NumberID

    /// Creates the value from its members.
    public init(id: SaltEdge.NumberID) {
      self.id = id
    }
  }
}
