// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `scripts/apple` on small packages: green when the code fits what Apple declares, red when it does not.
@Suite("Tidy: the check of code for Apple's systems")
struct AppleCheckTests {
  private static let good = """
    import Foundation
    #if canImport(FoundationNetworking)
      import FoundationNetworking
    #endif
    #if canImport(UIKit)
      import UIKit

      @MainActor
      public final class Screen: UIViewController {
        public override func viewDidLoad() {
          super.viewDidLoad()
          view.backgroundColor = .white
        }

        public static func isRecorded(_ scene: UIWindowScene) -> Bool {
          if #available(iOS 17, *) {
            return scene.traitCollection.sceneCaptureState == .active
          } else {
            return scene.screen.isCaptured
          }
        }
      }
    #else
      import Glibc
    #endif
    """

  private struct Outcome {
    let status: Int32
    let said: String
  }

  /// A package of one library with one source, checked with the stubs of this repository.
  /// - Parameter stub: changes what is declared of UIKit.
  private func check(
    _ source: String, _ platform: String = "iOS", stub: (String) -> String = { $0 }
  ) throws -> Outcome {
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.appending(path: "apple-check-\(UUID().uuidString)")
    defer { try? manager.removeItem(at: folder) }
    let (code, stubs) = (folder.appending(path: "Sources/Small"), folder.appending(path: "stubs"))
    try manager.createDirectory(at: code, withIntermediateDirectories: true)
    try manager.copyItem(at: Repository.root.appending(path: "Tests/AppleStubs"), to: stubs)
    let declared = stubs.appending(path: "UIKit.swiftinterface")
    try stub(String(contentsOf: declared, encoding: .utf8)).write(to: declared, atomically: true, encoding: .utf8)
    try source.write(to: code.appending(path: "Small.swift"), atomically: true, encoding: .utf8)
    try """
    let package = Package(
      name: "small",
      products: [
        .library(name: "Small", targets: ["Small"]),
      ],
      targets: [
        .target(name: "Small", path: "Sources/Small"),
      ]
    )
    """.write(to: folder.appending(path: "Package.swift"), atomically: true, encoding: .utf8)

    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-B", Repository.root.appending(path: "scripts/apple").path, "--platform", platform,
      "--sources", folder.path, "--stubs", stubs.path, "--scratch",
      Repository.root.appending(path: ".build/apple-check").path,
    ]
    let said = Pipe()
    (process.standardOutput, process.standardError) = (said, said)
    try process.run()
    let text = String(decoding: try said.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return Outcome(status: process.terminationStatus, said: text)
  }

  private func replaced(_ old: String, _ new: String) -> String {
    let text = Self.good.replacing(old, with: new)
    #expect(text != Self.good, "the sample has no \(old)")
    return text
  }

  @Test("code that fits compiles, at the floor and with what is newer")
  func green() throws {
    let outcome = try check(Self.good)
    #expect(outcome.status == 0, "\(outcome.said)")
    #expect(outcome.said.contains("iOS, newest: Small"))
  }

  @Test(
    "a wrong signature, isolation, version or module is found, on its line",
    arguments: [
      // An override that Apple does not declare.
      ("override func viewDidLoad()", "override func viewDidLoad(_ animated: Bool)", "Small.swift:10:"),
      // Main-actor state from anywhere.
      ("public static func isRecorded", "public nonisolated static func isRecorded", "Small.swift:19:"),
      // Newer than the floor, and not asked for.
      ("if #available(iOS 17, *) {", "if true {", "newer than iOS 16"),
      // Of the newer system, inside the question.
      ("sceneCaptureState == .active", "sceneCaptureState == .recorded", "Small.swift:17:"),
      // Foundation's own, which came with iOS 17.
      (
        "view.backgroundColor = .white",
        #"_ = URL(string: "a", encodingInvalidCharacters: false)"#, "encodingInvalidCharacters:) is newer than iOS 16"
      ),
      // A module of Linux on Apple's side.
      ("import UIKit", "import UIKit\n  import Glibc", "no module Glibc"),
    ])
  func red(old: String, new: String, named: String) throws {
    let outcome = try check(replaced(old, new))
    #expect(outcome.status == 1 && outcome.said.contains(named), "\(outcome.said)")
  }

  @Test("what macOS has not is not compiled for it, and Linux's branch is left out")
  func otherPlatform() throws {
    let outcome = try check(Self.good, "macOS")
    #expect(outcome.status == 1 && outcome.said.contains("no module Glibc"), "\(outcome.said)")
    let neutral = try check(replaced("#else\n  import Glibc\n", ""), "macOS")
    #expect(neutral.status == 0, "\(neutral.said)")
  }

  @Test("a signature that is broken in the stubs is found, and so is a stub that does not compile")
  func brokenStub() throws {
    let narrowed = try check(Self.good) {
      $0.replacing("open func viewDidLoad()", with: "open func viewDidLoad(_ animated: Bool)")
    }
    #expect(narrowed.status == 1 && narrowed.said.contains("Small.swift:10:"), "\(narrowed.said)")
    let broken = try check(Self.good) { $0 + "\nopen class" }
    #expect(broken.status == 2 && broken.said.contains("the stub of UIKit does not compile"), "\(broken.said)")
  }

  @Test("every paragraph of a stub names a page of Apple's documentation, or stands in a group that does")
  func pages() {
    let stubs = Repository.files.filter { $0.isBelow("Tests/AppleStubs") && $0.path.hasSuffix(".swiftinterface") }
    #expect(stubs.count >= 10)
    for file in stubs {
      var group = false
      for paragraph in file.text.components(separatedBy: "\n\n") {
        let names = paragraph.contains("https://developer.apple.com/")
        if paragraph.contains("// MARK:") { group = names }
        let declares = paragraph.contains(/\b(class|struct|enum|protocol|func|typealias|let|var) \w/)
        #expect(!declares || names || group, "\(file) names no page for: \(paragraph)")
      }
    }
  }
}
