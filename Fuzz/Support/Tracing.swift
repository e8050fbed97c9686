// SPDX-License-Identifier: Apache-2.0

/// As in swift-distributed-tracing, as far as trace headers go.
public protocol InstrumentationContextKey {
  associatedtype Value: Sendable
  static var nameOverride: String? { get }
}

public struct InstrumentationContext: Sendable {
  private var values: [ObjectIdentifier: any Sendable] = [:]

  public subscript<Key: InstrumentationContextKey>(_ key: Key.Type) -> Key.Value? {
    get { values[ObjectIdentifier(key)] as? Key.Value }
    set { values[ObjectIdentifier(key)] = newValue }
  }
}
