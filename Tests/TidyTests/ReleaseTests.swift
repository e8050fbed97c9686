// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `scripts/release` and `scripts/sdk-api` on a small repository, whose package for apps is one file and whose package
/// manager compares that file.
@Suite("Tidy: releases")
struct ReleaseTests {
  private static let api = "public func pay(to: String)\n"
  private static let files = [
    "CHANGELOG.md": "# Changelog\n\n## Unreleased (0.1.0)\n",
    "docs/sdk/README.md": "`.package(url: \"https://git.example/gatehouse-sdk\", from: \"0.0.0\")`\n",
    "Sources/Server/GatehouseApp/ProductVersion.swift": "static let current = \"0.0.0\"\n",
    "API.swift": api,
    "scripts/sdk-release": """
    #!/bin/sh
    set -e
    root=$(dirname "$(dirname "$(readlink -f "$0")")")
    while [ $# -gt 0 ]; do
      case $1 in --out) out=$2 ;; --version) version=$2 ;; esac
      shift 2
    done
    mkdir -p "$out"
    cp "$root/API.swift" "$out/"
    cd "$out"
    [ -d .git ] || git init --quiet
    git add API.swift
    git commit --quiet --allow-empty --message package
    [ -z "$version" ] || git tag "$version"

    """,
    // swift package --package-path FOLDER diagnose-api-breaking-changes TAG
    "tools/swift": "#!/bin/sh\nexec git -C \"$3\" diff --exit-code \"$5\" -- API.swift\n",
    "tools/gatehouse": "#!/bin/sh\necho 0.1.0\n",
  ]

  /// A repository that is removed with its packages at the end.
  private final class Place {
    let folder = FileManager.default.temporaryDirectory.appending(path: "release-\(UUID().uuidString)")
    var root: URL { folder.appending(path: "repository") }

    init() throws {
      let manager = FileManager.default
      for (path, text) in ReleaseTests.files { try write(text, to: path) }
      for name in ["release", "sdk-api", "sdk_docc.py", "sdk_mirror.py", "make-deb"] {
        try manager.copyItem(
          at: Repository.root.appending(path: "scripts/\(name)"), to: root.appending(path: "scripts/\(name)"))
      }
      // What `make-deb` asks for before it looks at the version.
      let tools = ["dpkg-deb", "dpkg-shlibdeps", "readelf", "strip"].map { "tools/\($0)" }
      for tool in tools { try write("#!/bin/sh\n", to: tool) }
      for path in ["scripts/sdk-release", "tools/swift", "tools/gatehouse"] + tools {
        try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: root.appending(path: path).path)
      }
      try git("init", "--quiet")
      try commit()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func write(_ text: String, to path: String) throws {
      let file = root.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
    }

    func commit() throws {
      try git("add", ".")
      try git("commit", "--quiet", "--message", "change")
    }

    func git(_ words: String...) throws {
      let done = try run(["git"] + words)
      try #require(done.status == 0, "\(done.said)")
    }

    /// - Returns: the status, and what was said.
    func run(_ words: String...) throws -> (status: Int32, said: String) { try run(words) }

    private func run(_ words: [String]) throws -> (status: Int32, said: String) {
      let process = ChildProcess()
      let pipe = Pipe()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = words
      process.currentDirectoryURL = root
      var environment = ProcessInfo.processInfo.environment
      environment["PATH"] = "\(root.appending(path: "tools").path):\(environment["PATH"] ?? "/usr/bin:/bin")"
      // Not the machine's: a hook's GIT_DIR is another repository, and signing or hooks of the user would fail.
      environment = environment.filter { !$0.key.hasPrefix("GIT_") }
      (environment["GIT_CONFIG_GLOBAL"], environment["GIT_CONFIG_NOSYSTEM"]) = ("/dev/null", "1")
      for role in ["AUTHOR", "COMMITTER"] {
        (environment["GIT_\(role)_NAME"], environment["GIT_\(role)_EMAIL"]) = ("Test", "test@bank.example")
      }
      process.environment = environment
      (process.standardOutput, process.standardError) = (pipe, pipe)
      try process.run()
      let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return (process.terminationStatus, said)
    }

    func release(_ version: String) throws -> (status: Int32, said: String) {
      try run("python3", "-B", "scripts/release", version, "--out", folder.appending(path: "package").path)
    }

    func tags() throws -> [String] { try run("git", "tag").said.split(separator: "\n").map(String.init) }
  }

  @Test("a signature that breaks is reported, and released under a version that tells it only")
  func breaks() throws {
    let place = try Place()
    #expect(try place.run("python3", "-B", "scripts/sdk-api").said == "No release yet, so nothing can break.\n")
    #expect(try place.release("0.1.0").status == 0)
    let version = try String(
      contentsOf: place.root.appending(path: "Sources/Server/GatehouseApp/ProductVersion.swift"), encoding: .utf8)
    #expect(version == "static let current = \"0.1.0\"\n")

    try place.write("// As before.\n", to: "NEWS.txt")
    #expect(try place.release("0.1.1").said.contains("changes that are not committed"))
    try place.commit()
    #expect(try place.run("python3", "-B", "scripts/sdk-api").status == 0)
    #expect(try place.release("0.1.0").status != 0 && place.release("0.1.1").status == 0)

    try place.write(Self.api.replacing("String", with: "Int"), to: "API.swift")
    try place.commit()
    let compared = try place.run("python3", "-B", "scripts/sdk-api")
    #expect(compared.status == 1 && compared.said.contains("-public func pay(to: String)"), "\(compared.said)")
    let refused = try place.release("0.1.2")
    #expect(refused.status != 0 && refused.said.contains("an SDK breaks since 0.1.1"), "\(refused.said)")
    #expect(try place.tags() == ["0.1.0", "0.1.1"])
    #expect(try place.release("0.2.0").status == 0)
    #expect(try place.tags() == ["0.1.0", "0.1.1", "0.2.0"])

    // A clone of the branch alone has no tags, and knows the releases by their commits.
    for tag in try place.tags() { #expect(try place.run("git", "tag", "--delete", tag).status == 0) }
    let below = try place.release("0.1.5")
    #expect(below.status != 0 && below.said.contains("0.2.0 is released"), "\(below.said)")
    #expect(try place.run("python3", "-B", "scripts/sdk-api").said.isEmpty)
  }

  @Test("a version that is tagged on another branch is refused before anything is written")
  func tagged() throws {
    let place = try Place()
    try place.git("checkout", "--quiet", "-b", "mended")
    try place.git("checkout", "--quiet", "-b", "next")
    try place.write("// Next.\n", to: "NEWS.txt")
    try place.commit()
    try place.git("tag", "0.2.0")
    try place.git("checkout", "--quiet", "mended")
    let refused = try place.release("0.2.0")
    #expect(refused.status != 0 && refused.said.contains("0.2.0 is tagged already"), "\(refused.said)")
    #expect(try place.run("git", "log", "--format=%s").said == "change\n")
  }

  @Test("a clone of the last commit alone tells that it does not know the releases, and counts no commits")
  func shallow() throws {
    let place = try Place()
    #expect(try place.release("0.1.0").status == 0)
    func clone(_ name: String) throws -> String {
      let folder = place.folder.appending(path: name)
      try place.git("clone", "--quiet", "--depth", "1", "file://\(place.root.path)", folder.path)
      return folder.path
    }
    let released = try clone("released")
    #expect(try place.run("python3", "-B", "\(released)/scripts/sdk-api").status == 0)
    try place.write("// Next.\n", to: "NEWS.txt")
    try place.commit()
    let next = try clone("next")
    let asked = try place.run("python3", "-B", "\(next)/scripts/sdk-api")
    #expect(asked.status == 1 && asked.said.contains("git fetch --unshallow"), "\(asked.said)")
    let made = try place.run("\(next)/scripts/make-deb", "tools/gatehouse", "API.swift", place.folder.path)
    #expect(made.status == 1 && made.said.contains("git fetch --unshallow"), "\(made.said)")
  }
}
