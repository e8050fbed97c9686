// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Apple's list of API with a required reason, held against what the SDKs declare for the App Store
/// (https://developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api).
@Suite("Tidy: reasons for the App Store")
struct PrivacyTests {
  /// What each target uses and its users type, by the target's name.
  private struct Declared: Decodable {
    let accessed: [String: [String: [String]]]
    let collected: [String: [String]]
  }

  /// How a use of each category looks, and words of which each use has one.
  private static let categories: [(name: String, words: [String], pattern: @Sendable () -> Regex<Substring>)] = [
    (
      "FileTimestamp",
      ["attributesOfItem", "ModificationDate", "creationDateKey", "getattrlist", "stat(", "statat("],
      {
        #/
        \b(?:attributesOfItem|fileModificationDate|contentModificationDateKey|creationDateKey)\b
        |\b(?:getattrlist|getattrlistbulk|fgetattrlist|getattrlistat|stat|fstat|fstatat|lstat)\([^)]
        /#
      }
    ),
    ("SystemBootTime", ["systemUptime", "mach_absolute_time"], { /\b(?:systemUptime|mach_absolute_time)\b/ }),
    (
      "DiskSpace",
      ["volumeAvailableCapacity", "volumeTotalCapacity", "systemFreeSize", "systemSize", "statfs", "statvfs"],
      { /\b(?:volumeAvailableCapacity\w*|volumeTotalCapacity\w*|systemFreeSize|systemSize|f?statv?fs)\b/ }
    ),
    ("ActiveKeyboards", ["activeInputModes"], { /\bactiveInputModes\b/ }),
    ("UserDefaults", ["UserDefaults"], { /\bUserDefaults\b/ }),
  ]

  /// How members are called in which a kind of data is sent
  /// (https://developer.apple.com/documentation/bundleresources/describing-data-use-in-privacy-manifests).
  private static let collected: [(name: String, pattern: @Sendable () -> Regex<Substring>)] = [
    ("Name", { /\b(?:firstName|lastName|familyName|givenName)\b/ }),
    ("EmailAddress", { /\bemail\b/ }),
    ("PhoneNumber", { /\b(?:phoneNumber|mobileNumber|mobileNo|contactNo)\b/ }),
    ("PhysicalAddress", { /\b(?:postalCode|pincode)\b/ }),
    ("PhotosorVideos", { /\b(?:selfie\w*|UIImage)\b/ }),
    ("PreciseLocation", { /\blatitude\b/ }),
    ("CustomerSupport", { /\bChatClient\b/ }),
    ("DeviceID", { /\b(?:deviceID|deviceId|imei)\b/ }),
    // Apple has no kind of its own for a date of birth.
    ("OtherDataTypes", { /\b(?:dateOfBirth|birthDate)\b/ }),
  ]
  /// What a server tells, and the SDK does not send; and what is sent under other names: credentials that the app
  /// names, and the token of notifications.
  private static let toldOnly = [
    "PowerAuth2": ["Name", "EmailAddress", "PhoneNumber"], "OneAssistSDK": ["Name"],
  ]
  private static let named = ["WultraDigitalOnboarding": ["OtherDataTypes"], "SaltEdgeAuthenticator": ["DeviceID"]]

  static func uses(_ code: [String]) -> Set<String> {
    let bytes = Data(code.joined(separator: "\n").utf8)
    return Set(
      categories.filter { category in
        guard category.words.contains(where: { Repository.mentions($0, in: bytes) }) else { return false }
        let pattern = category.pattern().wordBoundaryKind(.simple)
        return code.contains { $0.contains(pattern) }
      }.map(\.name))
  }

  @Test("what an SDK uses has its reasons in packaging/apple/privacy.json, and nothing else has")
  func reasons() throws {
    let text = try #require(Repository.text("packaging/apple/privacy.json"))
    let declared = try JSONDecoder().decode(Declared.self, from: Data(text.utf8))
    let manifest = Manifest(Repository.text("Package.swift") ?? "")
    let filesByTarget = manifest.swiftFiles()
    let clients = manifest.targets.filter { $0.path.hasPrefix("Sources/SDK/") }
    #expect(clients.count >= 11)
    for target in Set(clients.flatMap { manifest.reach($0).map(\.name) } + clients.map(\.name)).sorted() {
      let files = filesByTarget[target] ?? []
      let used = files.reduce(into: Set<String>()) { $0.formUnion(Self.uses(SwiftText($1.text).bare)) }
      let said = declared.accessed[target] ?? [:]
      #expect(used == Set(said.keys), "\(target) uses \(used.sorted()) and declares \(said.keys.sorted())")
      #expect(said.values.allSatisfy { !$0.isEmpty }, "\(target) gives no reason")
    }
  }

  @Test("the kinds of data that an SDK's bodies have members for are declared as collected, and no others of these")
  func collects() throws {
    let text = try #require(Repository.text("packaging/apple/privacy.json"))
    let declared = try JSONDecoder().decode(Declared.self, from: Data(text.utf8)).collected
    let manifest = Manifest(Repository.text("Package.swift") ?? "")
    let wires = [
      "RubixOnboarding": "RubixWire", "WultraDigitalOnboarding": "WultraWire", "Finaptic": "FinapticWire",
      "SaltEdgeAuthenticator": "SaltEdgeWire", "OneAssistSDK": "OneAssistWire",
    ]
    let kinds = Set(Self.collected.map(\.name))
    let filesByTarget = manifest.swiftFiles()
    for (target, said) in declared.sorted(by: { $0.key < $1.key }) {
      let files = [target, wires[target]].compactMap { $0 }.flatMap { filesByTarget[$0] ?? [] }
      let code = files.flatMap { SwiftText($0.text).bare }
      #expect(!code.isEmpty, "\(target)")
      let found = Self.collected.filter { kind in
        let pattern = kind.pattern().wordBoundaryKind(.simple)
        return code.contains { $0.contains(pattern) }
      }.map(\.name)
      let sent = Set(found).subtracting(Self.toldOnly[target] ?? []).union(Self.named[target] ?? [])
      let listed = kinds.intersection(said)
      #expect(sent == listed, "\(target) sends \(sent.sorted()) and declares \(listed.sorted())")
    }
  }

  @Test("what an example app shows above its screens is covered, too, while the app is not in front")
  func sheets() {
    let above = /\.(?:sheet|fullScreenCover|popover)\([^{]*\{/
    var found = 0
    for file in Repository.swift where file.isBelow("Examples") {
      for match in file.text.matches(of: above) {
        found += 1
        #expect(file.text[match.range.upperBound...].prefix(200).contains("PrivateWhenAway {"), "\(file.path)")
      }
    }
    #expect(found > 0)
  }

  @Test("uses are found by their category")
  func found() {
    #expect(Self.uses(["let a = try manager.attributesOfItem(atPath: b)"]) == ["FileTimestamp"])
    #expect(Self.uses(["guard stat(path, &facts) == 0 else {"]) == ["FileTimestamp"])
    #expect(Self.uses(["var facts = stat()", "let a = photo.creationDate", "ofUserDefaultsSuite()"]).isEmpty)
    #expect(
      Self.uses(["UserDefaults.standard", "ProcessInfo.processInfo.systemUptime"]) == [
        "SystemBootTime", "UserDefaults",
      ])
    #expect(Self.uses(["statfs(path, &b)"]) == ["DiskSpace"])
  }
}
