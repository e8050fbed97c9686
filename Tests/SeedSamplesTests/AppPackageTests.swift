// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("The package that apps get")
struct AppPackageTests {
  @Test(
    "it is written from the manifest, needs no other package on Apple's systems, and says what the App Store asks",
    .enabled(if: PageCode.canCompile && AppPackageTests.hasPrograms))
  func written() throws {
    let folder = try TestFolder()
    let package = URL(fileURLWithPath: folder.file("gatehouse-sdk"))
    // The script itself has the package manager read the manifest for both systems, and compares.
    let (status, said) = try withExtendedLifetime(folder) {
      try Self.run([
        PageCode.root.appending(path: "scripts/sdk-release").path, "--out", package.path, "--version", "0.1.0",
      ])
    }
    #expect(status == 0, "\(said)")
    guard status == 0 else { return }
    func text(_ path: String) throws -> String {
      try String(contentsOf: package.appending(path: path), encoding: .utf8)
    }
    let manifest = try text("Package.swift")
    #expect(manifest.contains("platforms: [.iOS(.v16), .macOS(.v13)]"))
    #expect(!manifest.contains("hummingbird") && !manifest.contains("Sources/Server"))
    for product in manifest.matches(of: /\.library\(name: "(\w+)"/).map(\.output.1) {
      let pod = try JSONSerialization.jsonObject(with: Data(try text("\(product).podspec.json").utf8)) as? [String: Any]
      #expect(pod?["module_name"] as? String == String(product), "\(product)")
    }
    let files = try FileManager.default.subpathsOfDirectory(atPath: package.path)
    let swift = files.filter { $0.hasPrefix("Sources/") && $0.hasSuffix(".swift") && !$0.contains(".docc/") }
    #expect(swift.count > 600)
    for file in swift {
      #expect(try text(file).hasPrefix("// SPDX-License-Identifier: Apache-2.0\n"), "\(file)")
    }
    #expect(files.count { $0.hasSuffix("-Begin.tutorial") } >= 6)
    let privacy = try Data(contentsOf: package.appending(path: "Sources/SDK/GatehouseTransport/PrivacyInfo.xcprivacy"))
    let declared = try PropertyListSerialization.propertyList(from: privacy, format: nil) as? [String: Any]
    #expect(declared?["NSPrivacyTracking"] as? Bool == false)
    let accessed = declared?["NSPrivacyAccessedAPITypes"] as? [[String: Any]]
    #expect(accessed?.first?["NSPrivacyAccessedAPIType"] as? String == "NSPrivacyAccessedAPICategoryFileTimestamp")
    withExtendedLifetime(folder) {}
  }

  @Test("an invalid version is refused", .enabled(if: AppPackageTests.hasPrograms))
  func version() throws {
    let folder = try TestFolder()
    let (status, said) = try withExtendedLifetime(folder) {
      try Self.run([
        PageCode.root.appending(path: "scripts/sdk-release").path, "--out", folder.file("a"), "--version", "1.0",
      ])
    }
    #expect(status != 0 && said.contains("1.0 is no semantic version"), "\(said)")
  }

  private static let hasPrograms: Bool = ["git", "python3"].allSatisfy { program in
    (try? run([program, "--version"]))?.status == 0
  }

  private static func run(_ arguments: [String]) throws -> (status: Int32, said: String) {
    let (process, said) = (ChildProcess(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    let author = ["NAME": "Tests", "EMAIL": "tests@bank.example"]
    process.environment = author.reduce(into: ProcessInfo.processInfo.environment) { environment, entry in
      environment["GIT_AUTHOR_\(entry.key)"] = entry.value
      environment["GIT_COMMITTER_\(entry.key)"] = entry.value
    }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = said
    try process.run()
    let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }
}
