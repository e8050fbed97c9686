// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import SaltEdgeCore
internal import SaltEdgeWire

/// What a push notification names: an authorization, and nothing of what it is about (specification §9.2).
public struct PushPayload: Sendable, Equatable, Redacted {
  private static let idBytesMax = 512

  /// The services' names.
  public let connectionID, authorizationID: String

  /// Of APNs: in `aps.data`, both texts or both integers.
  /// - Returns: nil for anything else.
  public init?(apns userInfo: [AnyHashable: Any]) {
    guard let aps = userInfo["aps"] as? [AnyHashable: Any], let data = aps["data"] as? [AnyHashable: Any] else {
      return nil
    }
    let (connection, authorization) = (data["connection_id"], data["authorization_id"])
    if let connection = connection as? String, let authorization = authorization as? String {
      self.init(connection, authorization)
    } else if let connection = Self.integer(connection), let authorization = Self.integer(authorization) {
      self.init(String(connection), String(authorization))
    } else {
      return nil
    }
  }

  /// Of FCM: the message's data.
  /// - Returns: nil when it is about something else.
  public init?(fcm data: [String: String]) {
    guard let connection = data["connection_id"], let authorization = data["authorization_id"] else { return nil }
    self.init(connection, authorization)
  }

  private init?(_ connection: String, _ authorization: String) {
    for id in [connection, authorization] {
      guard !id.isEmpty, id.utf8.count <= Self.idBytesMax else { return nil }
    }
    (connectionID, authorizationID) = (connection, authorization)
  }

  /// `c`: how Foundation writes down that a number is a truth value.
  private static let truthValue = CChar(0x63)

  /// A truth value is no number, though Foundation counts with it.
  private static func integer(_ value: Any?) -> Int64? {
    guard let value, type(of: value) != Bool.self else { return nil }
    guard let number = value as? NSNumber, number.objCType.pointee != truthValue else { return nil }
    return number.doubleValue == number.doubleValue.rounded(.towardZero) ? number.int64Value : nil
  }
}
