// SPDX-License-Identifier: Apache-2.0

/// An answer's body without a result: `{"status": "OK"}`. What has one inherits from it.
open class WPNResponseBase: Decodable {
  /// Whether it is good news.
  public enum Status: String, Decodable, Sendable {
    case Ok = "OK"
    case Error = "ERROR"
  }

  public let status: Status
  /// Why the server refused; nil when it did not, or did not say.
  public let responseError: WPNRestApiError?

  private enum Key: CodingKey {
    case status, responseObject
  }

  public required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    status = try container.decode(Status.self, forKey: .status)
    responseError =
      status == .Error ? try container.decodeIfPresent(WPNRestApiError.self, forKey: .responseObject) : nil
  }
}

/// An answer's body: `{"status": "OK", "responseObject": …}`.
open class WPNResponse<T: Decodable>: WPNResponseBase {
  /// Nil when the server refused.
  public let responseObject: T?

  private enum Key: CodingKey {
    case responseObject
  }

  public required init(from decoder: any Decoder) throws {
    let isRefusal = try WPNResponseBase(from: decoder).status == .Error
    responseObject =
      isRefusal ? nil : try decoder.container(keyedBy: Key.self).decode(T.self, forKey: .responseObject)
    try super.init(from: decoder)
  }
}

/// An answer's body with a list: `{"status": "OK", "responseObject": […]}`.
open class WPNResponseArray<T: Decodable>: WPNResponseBase {
  /// Nil when the server refused.
  public let responseObject: [T]?

  private enum Key: CodingKey {
    case responseObject
  }

  public required init(from decoder: any Decoder) throws {
    let isRefusal = try WPNResponseBase(from: decoder).status == .Error
    responseObject =
      isRefusal ? nil : try decoder.container(keyedBy: Key.self).decode([T].self, forKey: .responseObject)
    try super.init(from: decoder)
  }
}
