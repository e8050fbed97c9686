// SPDX-License-Identifier: Apache-2.0

import Activations
import Foundation
import Kit
import PowerAuthCore

/// What an operator does about devices and the apps on them, in words that can be typed at night: an application goes
/// by its id or its name, and every refusal says what to do next.
struct PowerAuthOperations: Sendable {
  let activations: Activations
  let tenant: String

  var applications: PowerAuthApplications { activations.applications }

  /// An application of the tenant.
  /// - Throws: `PowerAuthOperationsError`.
  func application(_ text: String) async throws -> PowerAuthApplication {
    let all = try await applications.list(tenant: tenant)
    guard let found = all.first(where: { $0.id.rawValue == text.lowercased() || $0.name == text }) else {
      let names = all.map { "  \($0.id)  \($0.name)" }.joined(separator: "\n")
      throw PowerAuthOperationsError(
        all.isEmpty
          ? "tenant \(tenant) has no applications; make one with `gatehouse powerauth application add NAME`"
          : "tenant \(tenant) has no application '\(text)'. There are:\n\(names)")
    }
    return found
  }

  /// A version by its id, or by its name in an application: `Bank/2`.
  /// - Throws: `PowerAuthOperationsError`.
  func version(_ text: String) async throws -> PowerAuthApplicationVersion {
    let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
    let candidates = try await parts.count == 2 ? [application(parts[0])] : applications.list(tenant: tenant)
    for candidate in candidates {
      let versions = try await applications.versions(of: candidate.id)
      if let found = versions.first(where: {
        $0.id.rawValue == text.lowercased() || parts.count == 2 && $0.name == parts[1]
      }) {
        return found
      }
    }
    throw PowerAuthOperationsError(
      "there is no version '\(text)': name it by its id, or as APPLICATION/VERSION; `gatehouse powerauth application show APPLICATION` lists them"
    )
  }

  /// - Throws: `PowerAuthOperationsError`.
  func activation(_ text: String) async throws -> Activation {
    guard let id = try? ActivationIdentifier(text: text) else {
      throw PowerAuthOperationsError(
        exit: .usage, "'\(text)' is no activation id: a UUID, as in 8b6c3f9e-0c0a-4a4b-9d52-3f1a6f0e7f11")
    }
    do {
      let found = try await activations.find(Activation.ID(id))
      guard found.tenant == tenant else { throw Problem.notFound }
      return found
    } catch let problem as Problem where problem.code == Problem.notFound.code {
      throw PowerAuthOperationsError(
        "tenant \(tenant) has no activation \(text); find it with `gatehouse powerauth activation list --user USER`")
    }
  }

  // MARK: Lines to read

  static func line(_ application: PowerAuthApplication) -> String {
    "\(application.id)  \(application.name)  from protocol \(application.protocolMin.rawValue)"
      + (application.issuesRecoveryCodes ? "  issues recovery codes" : "")
  }

  static func line(_ version: PowerAuthApplicationVersion) -> String {
    "\(version.id)  \(version.isSupported ? "supported" : "retired  ")  master key \(version.masterKeyGeneration)  \(version.name)"
  }

  static func line(_ activation: Activation) -> String {
    let reason = activation.blockedReason.map { " (\($0))" } ?? ""
    let name = activation.device.name.map { "  \(shown($0))" } ?? ""
    return "\(activation.id)  \(activation.state.name)\(reason)  \(activation.createdAt.rfc3339)\(name)"
  }

  static func text(_ activation: Activation, history: [AuditLine]) -> String {
    var rows: [(String, String?)] = [
      ("activation", activation.id.rawValue),
      ("state", activation.state.name + (activation.blockedReason.map { ", \($0)" } ?? "")),
      ("user", shown(activation.user)), ("application", activation.application.rawValue),
      ("version", activation.applicationVersion?.rawValue), ("device", activation.device.name.map(shown)),
      ("platform", activation.device.platform.map(shown)), ("model", activation.device.info.map(shown)),
      ("external id", activation.externalID.map(shown)), ("fingerprint", activation.fingerprint),
      ("failed attempts", "\(activation.failedAttempts) of \(activation.maxFailedAttempts)"),
      ("flags", activation.flags.isEmpty ? nil : activation.flags.joined(separator: " ")),
      ("created", activation.createdAt.rfc3339), ("lapses", activation.expiresAt?.rfc3339),
    ]
    rows.append(("last signature", activation.lastUsedAt?.rfc3339))
    let facts = rows.compactMap { row in
      row.1.map { row.0.padding(toLength: 17, withPad: " ", startingAt: 0) + $0 }
    }
    let lines = history.map { line in
      let facts = line.facts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
      return "  \(line.at.rfc3339)  \(line.action)  by \(line.actor)  \(facts)"
    }
    return (facts + ["history"] + lines).joined(separator: "\n")
  }

  /// What a device called itself must not move the operator's cursor.
  static func shown(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  }
}

/// Why something cannot be done, with what to do instead.
struct PowerAuthOperationsError: Error, Equatable, CustomStringConvertible {
  let exit: CommandExit
  let text: String

  init(exit: CommandExit = .notFound, _ text: String) { (self.exit, self.text) = (exit, text) }

  var description: String { text }
}
