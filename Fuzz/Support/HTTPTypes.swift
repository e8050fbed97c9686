// SPDX-License-Identifier: Apache-2.0

/// Fields of one name, as they came.
public struct HTTPFields {
  public let lines: [String]

  public init(lines: [String]) { self.lines = lines }

  public subscript(values name: HTTPField.Name) -> [String] { lines }
}

public enum HTTPField { public struct Name: Sendable { public init?(_ name: String) {} } }
