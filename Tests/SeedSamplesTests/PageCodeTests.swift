// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("Pages for apps: what they show compiles")
struct PageCodeTests {
  @Test("every block of Swift in the documentation compiles as a file of an app", .enabled(if: PageCode.canCompile))
  func blocks() throws {
    let blocks = try PageCode.all().filter { !$0.isManifest }
    #expect(Set(blocks.map(\.page)).count >= 6, "each SDK has a page with code")
    let folder = try TestFolder()
    let complaints = try withExtendedLifetime(folder) {
      try PageCode.complaints(blocks, in: URL(fileURLWithPath: folder.path))
    }
    #expect(complaints.isEmpty, "\(complaints)")
  }

  @Test("a block that calls what is not there is refused by page and line", .enabled(if: PageCode.canCompile))
  func refused() throws {
    let block = PageCode.Block(
      page: "docs/sdk/a.md", line: 7, text: "import Locks\n\nfunc a() { Locks.thereIsNoSuchCall() }\n")
    let folder = try TestFolder()
    let complaints = try withExtendedLifetime(folder) {
      try PageCode.complaints([block], in: URL(fileURLWithPath: folder.path))
    }
    #expect(complaints.contains("docs/sdk/a.md:9:"), "\(complaints)")
  }

  @Test("blocks are found with their lines, and other languages are left out")
  func found() {
    let text = """
      # A

      ```swift
      import B

      let c = 1
      ```

      ```sh
      ls
      ```
      ```swift
      .package(url: "d", from: "1.0.0"),
      ```
      """
    let blocks = PageCode.blocks(of: text, page: "a.md")
    #expect(blocks.map(\.line) == [4, 13])
    #expect(blocks.map(\.text) == ["import B\n\nlet c = 1\n", ".package(url: \"d\", from: \"1.0.0\"),\n"])
    #expect(blocks.map(\.isManifest) == [false, true])
  }
}
