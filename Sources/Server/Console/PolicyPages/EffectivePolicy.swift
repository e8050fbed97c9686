// SPDX-License-Identifier: Apache-2.0

/// What counts for an institution, or for the installation: each value with who decided it. It holds no secret.
package struct EffectivePolicy: Sendable {
  package enum Origin: String, Sendable, CaseIterable {
    /// The program's own, where no other is named.
    case standard
    /// Of the installation: the command line, the environment, the file of settings.
    case flag, environment, file
    /// The file of tenants.
    case tenant
    /// A command or a call of the API.
    case api
  }

  package struct Row: Sendable, Equatable {
    package let name: String
    /// Nil for a value that is not shown: a text of the settings may be a secret, or hold one.
    package let value: String?
    package let origin: Origin

    package init(_ name: String, _ value: String?, _ origin: Origin) {
      (self.name, self.value, self.origin) = (name, value, origin)
    }
  }

  /// As an address carries it.
  package let code: String
  package let rows: [Row]

  package init(_ code: String, _ rows: [Row]) { (self.code, self.rows) = (code, rows) }
}
