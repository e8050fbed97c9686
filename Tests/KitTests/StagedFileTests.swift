// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: files that are whole or not there", .storeless)
struct StagedFileTests {
  @Test("of a path whose folders are not there each one is made for its owner only, and made durable")
  func folders() throws {
    let root = try TestFolder()
    #expect(try StagedFile.makeFolder(root.file("a/b/c")) == ["a", "a/b", "a/b/c"].map(root.file))
    #expect(try StagedFile.makeFolder(root.file("a/b/d")) == [root.file("a/b/d")])
    #expect(try StagedFile.makeFolder(root.file("a/b")) == [])
    for folder in ["a", "a/b", "a/b/c"] {
      let mode = try FileManager.default.attributesOfItem(atPath: root.file(folder))[.posixPermissions] as? Int
      #expect(mode == 0o700, "\(folder)")
    }
  }

  @Test("a file is written below folders that are not there, and lets nothing lie about")
  func deep() throws {
    let root = try TestFolder()
    try DurableFile.write(Data("whole".utf8), to: root.file("x/y/z"))
    #expect(FileManager.default.contents(atPath: root.file("x/y/z")) == Data("whole".utf8))
    #expect(try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted() == ["x", "x/y", "x/y/z"])
  }

  @Test("where a folder cannot be made the file is refused")
  func refused() throws {
    #expect(throws: (any Error).self) { try DurableFile.write(Data(), to: "/dev/null/x/y") }
  }
}
