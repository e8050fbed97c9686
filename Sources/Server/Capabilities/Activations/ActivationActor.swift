// SPDX-License-Identifier: Apache-2.0

/// Who changes an activation, for the audit: never personal data.
package struct ActivationActor: Sendable, Equatable {
  /// As it stands in the audit.
  package let text: String

  /// - Parameter text: a role, or a role and an id, such as `agent:7`.
  package init(_ text: String) { self.text = text }

  /// The device itself, by a proof of its own.
  package static let device = ActivationActor("device")
  /// A rule or a sweep.
  package static let system = ActivationActor("system")
  /// Another server through the back-end API, by its client's id.
  package static func client(_ id: String) -> ActivationActor { ActivationActor("client:\(id)") }
  /// A flow of this server, by name.
  package static func flow(_ name: String) -> ActivationActor { ActivationActor("flow:\(name)") }
  package static func agent(_ id: String) -> ActivationActor { ActivationActor("agent:\(id)") }
}
