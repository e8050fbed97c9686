// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `scripts/xcode-projects` writes what Xcode opens: held against a reader of its own, and against broken
/// specifications.
@Suite("Tidy: the projects of the example apps")
struct XcodeProjectTests {
  private struct App: Decodable {
    let folder: String
    let sources, products: [String]
  }

  private static let spec = "Examples/xcode.json"

  private static func apps() throws -> [String: App] {
    try JSONDecoder().decode([String: App].self, from: Data((Repository.text(spec) ?? "").utf8))
  }

  private static func write(_ folder: URL, root: URL = Repository.root) throws -> (status: Int32, said: String) {
    let (process, said) = (ChildProcess(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-B", Repository.root.appending(path: "scripts/xcode-projects").path, "--out", folder.path, "--root",
      root.path,
    ]
    (process.standardOutput, process.standardError) = (said, said)
    try process.run()
    let text = String(decoding: try said.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  private static func folder() -> URL {
    FileManager.default.temporaryDirectory.appending(path: "xcode-projects-\(UUID().uuidString)")
  }

  @Test("each project is a property list that compiles every source of its app and links its products")
  func projects() throws {
    let out = Self.folder()
    defer { try? FileManager.default.removeItem(at: out) }
    let written = try Self.write(out)
    try #require(written.status == 0, "\(written.said)")
    let apps = try Self.apps()
    #expect(apps.count == 2)
    for (name, app) in apps {
      let data = try Data(contentsOf: out.appending(path: "\(name).xcodeproj/project.pbxproj"))
      let project = try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
      let objects = try #require(project["objects"] as? [String: [String: Any]])
      func all(_ kind: String) -> [[String: Any]] { objects.values.filter { $0["isa"] as? String == kind } }
      let phase = try #require(all("PBXSourcesBuildPhase").first)
      let compiled = try (phase["files"] as? [String] ?? []).map { key in
        let file = try #require((objects[key]?["fileRef"] as? String).flatMap { objects[$0] })
        let path = try #require(file["path"] as? String)
        return Repository.root.appending(path: app.folder).appending(path: path).standardizedFileURL.path
      }
      let wanted = Repository.swift.filter { file in app.sources.contains { file.path == $0 || file.isBelow($0) } }
      #expect(
        Set(compiled) == Set(wanted.map { Repository.root.appending(path: $0.path).standardizedFileURL.path }))
      #expect(compiled.count == wanted.count && wanted.count > 8)
      let linked = all("XCSwiftPackageProductDependency").compactMap { $0["productName"] as? String }
      #expect(linked.sorted() == app.products.sorted())
      #expect(
        FileManager.default.fileExists(
          atPath: out.appending(path: "\(name).xcodeproj/xcshareddata/xcschemes/\(name).xcscheme").path))
    }
  }

  @Test(
    "a specification that leaves something out is refused",
    arguments: [
      ("Examples/AppParts", "Examples/Nothing", "Examples/Nothing has no Swift files"),
      (#""Examples/Onboarding/App","#, #""Examples/Onboarding/App", "Examples/Onboarding/App","#, "is there twice"),
    ])
  func refused(old: String, new: String, named: String) throws {
    let root = Self.folder()
    defer { try? FileManager.default.removeItem(at: root) }
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    let (examples, copy) = (Repository.root.appending(path: "Examples"), root.appending(path: "Examples"))
    try FileManager.default.copyItem(at: examples, to: copy)
    let spec = try #require(Repository.text(Self.spec)).replacing(old, with: new)
    try spec.write(to: root.appending(path: Self.spec), atomically: true, encoding: .utf8)
    let outcome = try Self.write(root.appending(path: "out"), root: root)
    #expect(outcome.status == 1 && outcome.said.contains(named), "\(outcome.said)")
  }

  @Test("an app declares the reasons for what its own sources use, and nothing else")
  func privacy() throws {
    for (name, app) in try Self.apps() {
      let files = Repository.swift.filter { file in app.sources.contains { file.path == $0 || file.isBelow($0) } }
      let used = files.reduce(into: Set<String>()) { $0.formUnion(PrivacyTests.uses(SwiftText($1.text).bare)) }
      let text = try #require(Repository.text("\(app.folder)/App/PrivacyInfo.xcprivacy"))
      let declared = text.matches(of: /NSPrivacyAccessedAPICategory(\w+)/).map { String($0.output.1) }
      #expect(used == Set(declared), "\(name) uses \(used.sorted()) and declares \(declared.sorted())")
    }
  }
}
