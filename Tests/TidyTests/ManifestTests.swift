// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("Tidy: what may see what")
struct ManifestTests {
  private static let manifest = Manifest(Repository.text("Package.swift") ?? "")
  /// Modules of the toolchain.
  private static let toolchain: Set<String> = [
    "AppKit", "Combine", "CommonCrypto", "CryptoKit", "Darwin", "Dispatch", "Foundation", "FoundationEssentials",
    "FoundationNetworking",
    "FoundationXML", "Glibc", "LocalAuthentication", "Musl",
    "Network", "Photos", "PhotosUI", "RegexBuilder", "Security", "SwiftUI", "Synchronization", "Testing", "UIKit",
    "Vision", "WebKit", "os",
  ]
  /// Modules that come with a product, beside the one that it is named for.
  private static let carried: [String: Set<String>] = [
    "Hummingbird": [
      "HTTPTypes", "HummingbirdCore", "Logging", "NIOCore", "NIOHTTP1", "NIOHTTPTypes", "NIOHTTPTypesHTTP1",
      "ServiceLifecycle",
    ],
    "HummingbirdTesting": ["Hummingbird", "NIOEmbedded", "NIOPosix"],
    "HummingbirdHTTP2": ["Hummingbird", "HummingbirdCore", "NIOHTTPTypes", "NIOSSL", "NIOTLS"],
    "Configuration": ["SystemPackage"], "AsyncHTTPClient": ["NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL"],
  ]
  /// Modules that a target of ours gives to those that depend on it.
  private static let lent: [String: Set<String>] = [
    "HTTP": ["Hummingbird", "HummingbirdCore", "HTTPTypes", "NIOCore", "Logging"],
    "Kit": ["Logging", "ServiceLifecycle"],
  ]
  /// The layers, the lowest first; a target depends only on layers below its own.
  private static let layers: [[String]] = [
    ["CryptoPrimitives", "GatehouseWire", "Locks"],
    [
      "OneAssistWire", "DocumentCore", "PowerAuthCore", "SaltEdgeCore", "OneAssistCore",
      "CAPIDescription", "CArgon2", "CConsole", "CPostgres", "CMemory", "CPaper", "CPKCS11", "CScheduling",
      "CSQLiteLog", "CSpecimen", "CTransfer", "CVision", "CZlib",
    ],
    [
      "RubixWire", "WultraWire", "SaltEdgeWire", "FinapticWire", "APIDescription", "GatehouseTransport", "Storage",
      "Specimens", "Paper", "ReferenceData",
    ],
    [
      "RubixOnboarding", "OneAssistSDK", "PowerAuth2", "SaltEdgeAuthenticator", "Finaptic", "Forms", "GatehouseUI",
      "Kit",
    ],
    [
      "HTTP", "Activations", "Conversations", "Delivery", "Evidence", "Ledger", "Scheduling", "Screening",
      "ObjectStorage",
      "SEAuthenticatorCore", "WultraPowerAuthNetworking", "AuthenticatorUI", "OnboardingScreens",
      "CrashTrials", "FinapticUI", "OneAssistUI",
    ], ["Identity", "LedgerSimulation", "Payments", "OnboardingUI", "ServerTLS"],
    ["Casework", "PowerAuthHTTP", "ScreeningHTTP"],
    ["CaseworkHTTP"],
    manifest.targets.map(\.name).filter { $0.hasSuffix("Flow") } + [
      "SEAuthenticator", "SEAuthenticatorV2", "Console", "WultraDigitalOnboarding",
    ], ["WultraOnboardingUI"], ["GatehouseApp", "WultraStories", "Fixtures", "ScreenSpecimens"],
    ["Demonstration"], ["gatehouse", "GatehouseDemo", "GatehouseLab"],
  ]

  @Test("an import is declared in Package.swift")
  func imports() {
    for file in Repository.swift {
      guard let target = Self.manifest.target(of: file) else { continue }
      let declared = Self.declared(target)
      for (line, module) in Self.imports[file.path] ?? [] where !declared.contains(module) {
        Issue.record("\(file.path):\(line): \(target.name) imports \(module): declare it in Package.swift")
      }
    }
  }

  @Test("what is declared is used")
  func unused() {
    let filesByTarget = Self.manifest.swiftFiles()
    let kinds = ["target", "testTarget"]
    for target in Self.manifest.targets where kinds.contains(target.kind) {
      guard let files = filesByTarget[target.name] else { continue }
      let imported = Set(files.flatMap { Self.imports[$0.path] ?? [] }.map(\.module))
      // Tests start programs, which they cannot import.
      for sibling in target.siblings where Self.manifest.target(sibling)?.kind != "executableTarget" {
        #expect(imported.contains(sibling), "\(target.name) declares \(sibling) and never imports it")
      }
    }
  }

  @Test("every Swift file belongs to a target")
  func owned() {
    // `scripts/fuzz` compiles its targets by itself, Xcode compiles the apps, and the package manager gives the entry
    // of the tests to their program.
    let others = ["Fuzz", "Examples/AppParts", "Examples/Authenticator/App", "Examples/Onboarding/App"]
    for file in Repository.swift where !others.contains(where: file.isBelow) && file.path != "Tests/XCTMain.swift" {
      #expect(Self.manifest.target(of: file) != nil, "\(file.path) belongs to no target")
    }
  }

  @Test("every file of a page is built in by CConsole, and has a name in Swift")
  func pages() {
    let embedded = Repository.text("Sources/Server/CConsole/console.c") ?? ""
    let named = Repository.text("Sources/Server/Console/PackageResources.swift") ?? ""
    let excluded = Set(Self.manifest.target("Console")?.excluded ?? [])
    let files = Repository.files.filter { $0.isBelow("Sources/Server/Console") && !$0.path.hasSuffix(".swift") }
    #expect(files.count >= 71)
    for file in files {
      let path = String(file.path.dropFirst("Sources/Server/Console/".count))
      let name = file.name.replacing(/[^A-Za-z0-9]/, with: "_")
      #expect(
        embedded.contains("\(name)[] = {\n#embed \"../Console/\(path)\"\n"), "\(path): embed it in CConsole/console.c")
      #expect(
        embedded.contains("FILE(\"\(file.name)\", \(name)),"), "\(path): list it in `files` of CConsole/console.c")
      #expect(
        named.contains("static let \(name): [UInt8] = bytes(\"\(file.name)\")"),
        "\(path): name it in Console/PackageResources.swift")
      #expect(excluded.contains(path), "\(path): exclude it from Console in Package.swift, which warns of it otherwise")
    }
  }

  @Test("arrows point down only")
  func layers() throws {
    for (height, layer) in Self.layers.enumerated() {
      for name in layer {
        let target = try #require(Self.manifest.target(name), "Package.swift has no target \(name)")
        for sibling in target.siblings {
          let below = Self.layers.firstIndex { $0.contains(sibling) } ?? Int.max
          #expect(below < height, "\(name) depends on \(sibling), which is not below it")
        }
      }
    }
    let known = Set(Self.layers.joined())
    for target in Self.manifest.targets where target.path.hasPrefix("Sources/") {
      #expect(known.contains(target.name), "\(target.name) has no layer: give it one here and in docs/architecture.md")
    }
  }

  @Test("flows never see flows, capabilities never see HTTP, apps never see the server")
  func walls() {
    let flows = Self.manifest.targets.filter { $0.name.hasSuffix("Flow") }
    #expect(!flows.isEmpty)
    for flow in flows {
      #expect(!Self.manifest.reach(flow).contains { $0.name.hasSuffix("Flow") }, "\(flow.name) sees another flow")
    }
    let capabilities = Self.manifest.targets.filter { $0.path.hasPrefix("Sources/Server/Capabilities/") }
    #expect(capabilities.count == 13)
    for target in capabilities + ["Kit", "Storage"].compactMap(Self.manifest.target) {
      #expect(!Self.manifest.reach(target).contains { $0.name == "HTTP" }, "\(target.name) sees HTTP")
    }
    for target in Self.manifest.targets where target.path.hasPrefix("Sources/SDK/") {
      for seen in Self.manifest.reach(target) {
        #expect(!seen.path.hasPrefix("Sources/Server/"), "\(target.name) sees \(seen.name), which is the server's")
      }
      #expect(Set(target.products).isSubset(of: ["Crypto", "OpenCombine"]), "apps would fetch \(target.products)")
    }
  }

  /// What a shared module may import beside Foundation, and why it is pure still.
  private static let pureBesides: [String: Set<String>] = [
    // Keys, MACs and ciphers: functions of their arguments, from the platform where it has them.
    // And a lock, for the encryptor that published networking code asks twice.
    "CryptoPrimitives": ["CommonCrypto", "Crypto", "CryptoExtras", "CryptoKit"],
    "PowerAuthCore": ["Crypto", "CryptoKit", "Synchronization"],
    "SaltEdgeCore": ["Crypto", "CryptoExtras", "CryptoKit", "Security"],
    "OneAssistCore": ["Crypto", "CryptoKit"],
  ]

  @Test("the shared modules are pure: they import Foundation and each other, and cryptography where named")
  func pure() {
    for file in Repository.sources where file.isBelow("Sources/Shared") {
      let besides = Self.manifest.target(of: file).flatMap { Self.pureBesides[$0.name] } ?? []
      for (line, module) in Self.imports[file.path] ?? [] where module != "Foundation" {
        if Self.manifest.target(module)?.path.hasPrefix("Sources/Shared/") == true { continue }
        #expect(besides.contains(module), "\(file.path):\(line) imports \(module)")
      }
    }
  }

  @Test("the manifest is read whole")
  func read() {
    let manifest = Manifest(
      """
      .target(name: "A", dependencies: ["B", .product(name: "P", package: "p", condition: .when(platforms: [.linux]))],
        path: "Sources/A", exclude: ["C"]), // .target(name: "No")
      .executableTarget(name: "D", dependencies: ["A"]),
      """)
    #expect(manifest.targets.map(\.name) == ["A", "D"])
    #expect(manifest.target("A")?.siblings == ["B"] && manifest.target("A")?.products == ["P"])
    #expect(manifest.target("A")?.excluded == ["C"])
    #expect(manifest.target("D").map { manifest.reach($0).map(\.name) } == ["A"])
  }

  private static func declared(_ target: Manifest.Target) -> Set<String> {
    var declared = toolchain.union(target.siblings).union(target.products).union([target.name])
    for product in target.products { declared.formUnion(carried[product] ?? []) }
    for sibling in target.siblings { declared.formUnion(lent[sibling] ?? []) }
    return declared
  }

  /// Every import, by the path of its file.
  private static let imports: [String: [(line: Int, module: String)]] = {
    let pattern =
      #/
      ^\s*(?:@\w+(?:\([^)]*\))?\s+)*
      (?:(?:public|package|internal|fileprivate|private)\s+)?
      import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)
      /#
    return Dictionary(
      uniqueKeysWithValues: Repository.swift.map { file in
        (
          file.path,
          SwiftText(file.text).bare.enumerated().compactMap { number, line in
            guard line.contains("import ") else { return nil }
            return line.firstMatch(of: pattern).map { (number + 1, String($0.output.1)) }
          }
        )
      })
  }()
}
