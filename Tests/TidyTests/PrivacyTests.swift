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

  /// How a use of each category looks.
  private static let categories: [(name: String, pattern: @Sendable () -> Regex<Substring>)] = [
    (
      "FileTimestamp",
      {
        #/
        \b(?:attributesOfItem|fileModificationDate|contentModificationDateKey|creationDateKey)\b
        |\b(?:getattrlist|getattrlistbulk|fgetattrlist|getattrlistat|stat|fstat|fstatat|lstat)\([^)]
        /#
      }
    ),
    ("SystemBootTime", { /\b(?:systemUptime|mach_absolute_time)\b/ }),
    (
      "DiskSpace",
      { /\b(?:volumeAvailableCapacity\w*|volumeTotalCapacity\w*|systemFreeSize|systemSize|f?statv?fs)\b/ }
    ),
    ("ActiveKeyboards", { /\bactiveInputModes\b/ }),
    ("UserDefaults", { /\bUserDefaults\b/ }),
  ]

  static func uses(_ code: [String]) -> Set<String> {
    Set(
      categories.filter { category in
        let pattern = category.pattern().wordBoundaryKind(.simple)
        return code.contains { $0.contains(pattern) }
      }.map(\.name))
  }

  @Test("what an SDK uses has its reasons in packaging/apple/privacy.json, and nothing else has")
  func reasons() throws {
    let text = try #require(Repository.text("packaging/apple/privacy.json"))
    let declared = try JSONDecoder().decode(Declared.self, from: Data(text.utf8))
    let manifest = Manifest(Repository.text("Package.swift") ?? "")
    let clients = manifest.targets.filter { $0.path.hasPrefix("Sources/SDK/") }
    #expect(clients.count >= 11)
    for target in Set(clients.flatMap { manifest.reach($0).map(\.name) } + clients.map(\.name)).sorted() {
      let files = Repository.swift.filter { manifest.target(of: $0)?.name == target }
      let used = files.reduce(into: Set<String>()) { $0.formUnion(Self.uses(SwiftText($1.text).bare)) }
      let said = declared.accessed[target] ?? [:]
      #expect(used == Set(said.keys), "\(target) uses \(used.sorted()) and declares \(said.keys.sorted())")
      #expect(said.values.allSatisfy { !$0.isEmpty }, "\(target) gives no reason")
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
