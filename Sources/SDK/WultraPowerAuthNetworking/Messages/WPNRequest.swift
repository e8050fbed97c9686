// SPDX-License-Identifier: Apache-2.0

/// A request that has nothing to say: `{}`. What has more inherits from it.
open class WPNRequestBase: Encodable {
  public init() {}
}

/// A request's body: `{"requestObject": …}`.
public class WPNRequest<T: Encodable>: WPNRequestBase {
  public var requestObject: T?

  public init(_ requestObject: T) {
    self.requestObject = requestObject
    super.init()
  }

  private enum Key: CodingKey {
    case requestObject
  }

  override public func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(requestObject, forKey: .requestObject)
  }
}
