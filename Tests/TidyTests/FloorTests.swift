// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The packages that apps get: which systems they run on, and how an app asks for them.
@Suite("Tidy: the floor of the SDKs")
struct FloorTests {
  private static let manifest = Manifest(Repository.text("Package.swift") ?? "")
  /// What apps compile.
  private static let files: [Repository.File] = {
    let products = manifest.targets.filter { $0.path.hasPrefix("Sources/SDK/") }
    let folders = Set(products.flatMap { manifest.reach($0).map(\.path) } + products.map(\.path))
    return Repository.swift.filter { file in folders.contains { file.isBelow($0) } }
  }()

  @Test("nothing is used that came after iOS 16 and macOS 13", arguments: LaterAPI.all)
  func later(api: LaterAPI) {
    for finding in api.findings(Self.files) { Issue.record("\(finding): \(api). Instead: \(api.cure).") }
  }

  @Test("the list has only what came after the floor, and catches it, but for a line that asks")
  func samples() {
    #expect(LaterAPI.all.map(\.version) == LaterAPI.all.map(\.version).sorted())
    for api in LaterAPI.all {
      #expect(api.version > LaterAPI.floor, "\(api)")
      func findings(_ text: String) -> [String] {
        api.findings([.init(path: "Sources/SDK/A/A.swift", text: text, bytes: Data(text.utf8))])
      }
      let (bad, good) = api.sample
      #expect(findings("let a = 1\n\(bad)") == ["Sources/SDK/A/A.swift:2"], "\(api)")
      #expect(findings("let a = 1\n\(good)").isEmpty, "\(api)")
      #expect(findings("// \(bad)").isEmpty, "\(api)")
      let (major, minor) = (api.version.major, api.version.minor)
      #expect(findings("if #available(iOS \(major).\(minor), *) {\n\(bad)").isEmpty, "\(api)")
      #expect(!findings("if #available(iOS \(major - 1).\(minor), *) {\n\(bad)").isEmpty, "\(api)")
    }
  }

  @Test("the package for apps has the floor that this list counts from")
  func floor() throws {
    let script = try #require(Repository.text("scripts/sdk_mirror.py"))
    #expect(script.contains(#""ios": ("iOS", "\#(LaterAPI.floor.major).\#(LaterAPI.floor.minor)")"#))
  }
}

@Suite("Tidy: how an app asks for the SDKs")
struct InstallTests {
  private static let pages = Repository.files.filter {
    $0.path == "docs/sdk/\($0.name)" && $0.path.hasSuffix(".md") && $0.name != "README.md"
  }

  @Test("every page begins with the package and its products, and each product of ours has a page")
  func pages() throws {
    #expect(Self.pages.count >= 6)
    let manifest = try #require(Repository.text("Package.swift"))
    let libraries = Set(manifest.matches(of: /\.library\(name: "(\w+)"/).map { String($0.output.1) })
    #expect(libraries.count >= 10)
    var (packages, products): (Set<String>, Set<String>) = ([], [])
    for page in Self.pages {
      let parts = page.text.components(separatedBy: "```")
      let first = try #require(parts.count > 2 ? parts[1] : nil, "\(page) has no code")
      #expect(first.hasPrefix("swift\n.package(url:"), "\(page) begins with something else than the package")
      #expect(!parts[0].contains("\n## "), "\(page): how to install it comes first")
      packages.formUnion(page.text.matches(of: /\.package\(.*\)/).map { String($0.output) })
      let named = page.text.matches(of: /\.product\(name: "(\w+)", package: "gatehouse-sdk"\)/).map {
        String($0.output.1)
      }
      #expect(!named.isEmpty, "\(page) names no product")
      products.formUnion(named)
    }
    #expect(packages.count == 1, "pages name the package in several ways: \(packages)")
    #expect(products == libraries, "pages and products differ: \(products.symmetricDifference(libraries))")
  }
}
