// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Testing
import TestSupport

@Suite("Storage: what a log of SQLite does not use", .storeless)
struct WriteAheadLogTests {
  /// A log whose pages have these salts.
  private func isFree(
    from page: Int, head: UInt8 = 2, pageSize: [UInt8] = [0, 0, 16, 0], _ pages: [UInt8]
  ) throws -> Bool {
    let folder = try TestFolder()
    var bytes = Data(repeating: 7, count: 8) + pageSize + Data(repeating: 7, count: 4)
    bytes += Data(repeating: head, count: 8) + Data(repeating: 7, count: 8)
    for salt in pages {
      bytes += Data(repeating: 7, count: 8) + Data(repeating: salt, count: 8) + Data(repeating: 7, count: 8 + 4096)
    }
    #expect(bytes.count == WriteAheadLog.size(pages.count) && WriteAheadLog.pages(Int64(bytes.count)) == pages.count)
    try bytes.write(to: URL(filePath: folder.file("log")))
    let log = open(folder.file("log"), O_RDONLY)
    defer { close(log) }
    return WriteAheadLog.isFree(from: page, of: log)
  }

  @Test("is what stands behind its new pages")
  func behind() throws {
    #expect(try isFree(from: 2, [2, 2, 1, 1]))
    #expect(try isFree(from: 3, [2, 2, 1, 1]))
    #expect(try !isFree(from: 1, [2, 2, 1, 1]))
    #expect(try !isFree(from: 3, [2, 2, 2, 2]))
  }

  @Test("is nothing when its new head may not be on the disk: then a recovery would take a part of the old pages")
  func headAlone() throws { #expect(try !isFree(from: 2, [1, 1, 1, 1])) }

  @Test("is not told by salts of zero, of a page's end or by pages of another size")
  func doubtful() throws {
    #expect(try !isFree(from: 2, [2, 2, 0, 1]))
    #expect(try !isFree(from: 4, [2, 2, 1, 1]))
    #expect(try !isFree(from: 2, pageSize: [0, 0, 32, 0], [2, 2, 1, 1]))
    #expect(try !isFree(from: 0, []))
  }
}
