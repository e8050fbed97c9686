// SPDX-License-Identifier: Apache-2.0

import Configuration
import Console
import Foundation
import Kit
import Synchronization

/// A setting that does not have its standard value.
struct DecidedSetting: Sendable, Equatable {
  let name: String
  /// Of numbers and of what is true or false; nil for texts, which may be secrets or hold one.
  let value: String?
  let origin: EffectivePolicy.Origin
}

/// Sees which settings are asked for, and which cannot be what they are to be. The library passes over both: a misspelt
/// name is not read, and a port that is no number is the default one. An installation that means to have tenants and
/// misspells their file would be a sandbox.
final class SettingsAccessReporter: AccessReporter {
  private struct Seen {
    var names: Set<String> = []
    var faults: [String] = []
    var decided: [String: DecidedSetting] = [:]
  }

  private let seen = Mutex(Seen())

  func report(_ event: AccessEvent) {
    let name = event.metadata.key.description
    let isFault =
      event.conversionError != nil
      || event.providerResults.contains { if case .failure = $0.result { true } else { false } }
    let decided = Self.decided(event, name)
    seen.withLock { seen in
      seen.names.insert(name)
      if let decided { seen.decided[name] = decided }
      // What was written there may be a secret.
      if isFault { seen.faults.append("\(name) has to be \(Self.kind(event.metadata.valueType))") }
    }
  }

  private static func kind(_ type: ConfigType) -> String {
    switch type {
    case .int: "a whole number"
    case .double: "a number"
    case .bool: "true or false"
    case .string: "a text"
    case .stringArray: "a list of texts"
    default: "a value of another kind: \(type.rawValue)"
    }
  }

  var decided: [DecidedSetting] { seen.withLock { $0.decided.values.sorted { $0.name < $1.name } } }

  /// Providers are asked in the order in which `Settings.load` names them, until one has a value.
  private static func decided(_ event: AccessEvent, _ name: String) -> DecidedSetting? {
    let origins: [EffectivePolicy.Origin] = [.flag, .environment, .file]
    let asked = event.providerResults.count
    guard case .success(let last)? = event.providerResults.last?.result, let found = last.value,
      origins.indices.contains(asked - 1)
    else { return nil }
    let value: String? =
      switch found.content {
      case .int(let number): "\(number)"
      case .double(let number): "\(number)"
      case .bool(let flag): "\(flag)"
      default: nil
      }
    return DecidedSetting(
      name: name, value: found.isSecret ? nil : value, origin: origins[asked - 1])
  }

  /// - Parameter file: path of the JSON file, when one was named.
  /// - Throws: `SettingsError` that names what cannot be read, or the names in the file that no setting reads.
  func check(file: String?) throws {
    let seen = seen.withLock { $0 }
    if let fault = seen.faults.first { throw SettingsError(fault) }
    guard let file, let data = FileManager.default.contents(atPath: file) else { return }
    let unread = Self.names(in: try JSONSerialization.jsonObject(with: data)).filter { !seen.names.contains($0) }
    guard unread.isEmpty else {
      throw SettingsError(
        "\(file) has settings that are misspelt, or mean nothing without others: \(unread.joined(separator: ", "))")
    }
  }

  /// Variables of the environment that are called like settings and that no setting reads. They may be another program's,
  /// as those that Kubernetes makes for a service of the name are.
  func unread(in environment: [String: String]) -> [String] {
    let named = environment.keys.filter { $0.hasPrefix(Self.prefix) }
    guard !named.isEmpty else { return [] }
    let read = Set(seen.withLock { $0.names }.map(Self.variable))
    return named.filter { !read.contains($0) }.sorted()
  }

  /// The variable of a setting as the library spells it: `_` at each hump, and for all that is no letter and no digit.
  static func variable(_ name: String) -> String {
    var spelt = ""
    var isAfterSmall = false
    for character in name {
      if isAfterSmall && character.isUppercase { spelt.append("_") }
      isAfterSmall = character.isLowercase
      spelt.append(character.isLetter || character.isNumber ? character : "_")
    }
    return prefix + spelt.uppercased()
  }

  private static let prefix = "GATEHOUSE_"

  static func names(in tree: Any, under path: [String] = []) -> [String] {
    guard let object = tree as? [String: Any] else { return [path.joined(separator: ".")] }
    return object.sorted { $0.key < $1.key }.flatMap { names(in: $0.value, under: path + [$0.key]) }
  }
}
