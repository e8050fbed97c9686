// SPDX-License-Identifier: Apache-2.0

import Foundation
import Ledger
import TestSupport
import Testing

@testable import Payments

@Suite("Messages by pages", .storeless)
struct MessagePageTests {
  /// A pacs.008 whose texts have characters of two, three and four bytes.
  private static func message(_ count: Int) throws -> CreditTransferMessage {
    var message = try CreditTransferTests.read(Data(MessageSamples.creditTransfers.utf8))
    let first = try #require(message.transfers.first)
    message.transfers = (0..<count).map { place in
      var transfer = first
      (transfer.endToEndID, transfer.transactionID, transfer.uetr) = ("E-\(place)", "T-\(place)", nil)
      (transfer.amount, transfer.creditor) = (Money(Int64(place) + 1, "EUR"), "Zoë €ura 😀 \(place)")
      return transfer
    }
    return message
  }

  /// All pages of a message.
  private static func pages(_ file: MessageFile, _ limit: MessagePage.Limit) throws -> [MessagePage] {
    var reading = MessagePages(file, limit: limit)
    var pages = [try reading.first()]
    while let page = try reading.following() { pages.append(page) }
    return pages
  }

  @Test("the pages of a message are its transfers in their order, from memory and a file", arguments: [1, 3, 7, 8])
  func transfers(size: Int) throws {
    let message = try Self.message(7)
    let bytes = try message.xml()
    let folder = try TestFolder()
    try bytes.write(to: URL(fileURLWithPath: folder.file("message.xml")))
    let handle = try #require(FileHandle(forReadingAtPath: folder.file("message.xml")))
    defer { try? handle.close() }
    for file in [MessageFile.bytes(bytes), .open(handle)] {
      let pages = try Self.pages(file, .init(parts: size, bytes: .max))
      #expect(pages.count == (7 + size - 1) / size && pages[0].count == 7)
      #expect(pages.map(\.first) == pages.indices.map { $0 * size })
      #expect(pages[0].settled == [.init(currency: "EUR", account: nil)])
      var transfers: [CreditTransfer] = []
      for page in pages {
        guard case .creditTransfers(let part) = page.message else { throw Missing() }
        #expect(part.id == message.id && part.instructing == message.instructing)
        transfers += part.transfers
      }
      #expect(transfers == message.transfers)
    }
  }

  private struct Missing: Error {}

  @Test("a page ends with the part that reaches its bytes, so that large parts are few on one")
  func bytes() throws {
    let pages = try Self.pages(.bytes(Self.message(5).xml()), .init(parts: .max - 1, bytes: 1))
    #expect(pages.map(\.next) == [1, 2, 3, 4, 5])
  }

  @Test("orders, returns and entries of accounts come by pages, too, in the batches and notifications that they are of")
  func others() throws {
    guard case .notification(var notices) = try PaymentMessage.read(Data(MessageSamples.notification.utf8)) else {
      throw Missing()
    }
    let notice = try #require(notices.notifications.first)
    notices.notifications = [notice, notice]
    notices.notifications[1].id = "NOTICE-2"
    notices.notifications[1].entries += notice.entries
    let samples = [Data(MessageSamples.paymentOrders.utf8), Data(MessageSamples.returns.utf8), try notices.xml()]
    for sample in samples {
      let whole = try PaymentMessage.read(sample)
      let pages = try Self.pages(.bytes(sample), .init(parts: 1, bytes: .max))
      #expect(pages.count == pages[0].count && pages.count > 1)
      switch whole {
      case .paymentOrders(let message):
        let parts = pages.flatMap { page -> [PaymentOrderMessage.Batch] in
          if case .paymentOrders(let part) = page.message { part.batches } else { [] }
        }
        #expect(pages[0].groups == message.batches.count)
        #expect(parts.flatMap(\.orders) == message.batches.flatMap(\.orders))
        #expect(Set(parts.map(\.id)) == Set(message.batches.map(\.id)))
      case .returns(let message):
        let parts = pages.flatMap { page -> [PaymentReturn] in
          if case .returns(let part) = page.message { part.returns } else { [] }
        }
        #expect(parts == message.returns)
      case .notification(let message):
        let parts = pages.flatMap { page -> [NotificationMessage.Notification] in
          if case .notification(let part) = page.message { part.notifications } else { [] }
        }
        #expect(pages[0].groups == message.notifications.count)
        #expect(parts.flatMap(\.entries) == message.notifications.flatMap(\.entries))
      default: throw Missing()
      }
    }
  }

  @Test("the first page is told when the whole message is right; a later one is read no further than it goes")
  func checked() throws {
    let bytes = try Self.message(2_000).xml()
    let limit = MessagePage.Limit(parts: 10, bytes: .max)
    var seen = Data()
    let first = try PaymentMessage.page(of: .bytes(bytes), limit: limit) { seen += $0 }
    #expect(seen == bytes && first.count == 2_000)
    var read = 0
    _ = try PaymentMessage.page(of: .bytes(bytes), from: first.next, limit: limit) { read += $0.count }
    #expect(read < bytes.count / 2)
    // A fault at the end is told before anything is given out.
    let text = String(decoding: bytes, as: UTF8.self)
    for (old, new) in [("T-1999<", "T-1999</TxId><TxId>x<"), ("<NbOfTxs>2000<", "<NbOfTxs>1999<")] {
      let wrong = Data(text.replacing(old, with: new).utf8)
      #expect(throws: MessageFault.self) { try PaymentMessage.page(of: .bytes(wrong), limit: limit) }
    }
  }

  @Test("of a file that is changed between two pages no more is given out", arguments: 0..<5)
  func changed(how: Int) throws {
    let bytes = try Self.message(1_000).xml()
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(bytes.count > 2 * 131_072, "several chunks")
    // Another text of the same length on the page that comes, a message that ends before it, one that is cut off in it,
    // a file that is empty, and one that goes on behind its end.
    let changed =
      switch how {
      case 0: text.replacing("Zoë €ura 😀 19<", with: "Zoë €ura 😀 91<")
      case 1: String(decoding: try Self.message(3).xml(), as: UTF8.self)
      case 2: String(text.prefix(20_000))
      case 3: ""
      default: text + "\n"
      }
    let folder = try TestFolder()
    let path = folder.file("message.xml")
    try bytes.write(to: URL(fileURLWithPath: path))
    let handle = try #require(FileHandle(forReadingAtPath: path))
    defer { try? handle.close() }
    var pages = MessagePages(.open(handle), limit: .init(parts: how == 4 ? 750 : 10, bytes: .max))
    let first = try pages.first()
    #expect(first.count == 1_000)
    // The same file, in its place: a reader who has it open sees the change.
    let writer = try #require(FileHandle(forWritingAtPath: path))
    try writer.truncate(atOffset: 0)
    try writer.write(contentsOf: Data(changed.utf8))
    try writer.close()
    #expect(throws: MessageFault.changed) { _ = try pages.following() }
  }

  @Test("a file that cannot be read is told apart from a message that is wrong")
  func unreadable() throws {
    let folder = try TestFolder()
    let path = folder.file("message.xml")
    try Self.message(3).xml().write(to: URL(fileURLWithPath: path))
    // Open for writing alone.
    let handle = try #require(FileHandle(forWritingAtPath: path))
    defer { try? handle.close() }
    #expect(throws: MessageFault.unreadable) { _ = try PaymentMessage.page(of: .open(handle)) }
  }

  @Test("what comes through a pipe is read once, and is the same message")
  func pipe() throws {
    let (pipe, message) = (Pipe(), try Self.message(5))
    // Less than a pipe holds.
    try pipe.fileHandleForWriting.write(contentsOf: message.xml())
    try pipe.fileHandleForWriting.close()
    let pages = try Self.pages(MessageFile(pipe.fileHandleForReading), .init(parts: 2, bytes: .max))
    let transfers = pages.flatMap { page -> [CreditTransfer] in
      if case .creditTransfers(let part) = page.message { part.transfers } else { [] }
    }
    #expect(pages.count == 3 && transfers == message.transfers)
  }

  @Test("bytes that are not UTF-8 and a document type are found in every place, also where one chunk ends")
  func guarded() throws {
    let bytes = try Self.message(400).xml()
    #expect(bytes.count > 140_000, "more than one chunk")
    for place in [131_070, 131_071, 131_072, 131_073, bytes.count - 1] {
      var wrong = bytes
      wrong[place] = 0xFF
      #expect(throws: MessageFault.self) { try PaymentMessage.read(wrong) }
    }
    for shift in 0..<10 {
      // A comment moves the declaration over the end of the chunk.
      let end = "<!DOCTYPE a>"
      let comment = "<!--\(String(repeating: "x", count: 131_072 - 7 - shift))-->"
      let wrong = Data((comment + end + "<a/>").utf8)
      let fault = try #require(throws: MessageFault.self) { try PaymentMessage.read(wrong) }
      #expect(fault.description.contains("document type"), "\(shift): \(fault)")
    }
    // A character of four bytes goes over the end of a chunk, wherever it does.
    for shift in 0..<4 {
      let comment = "<!--\(String(repeating: "x", count: 131_060 + shift))\(String(repeating: "😀", count: 8))-->"
      let written = "<!-- Written by hand, not by our own writer. -->"
      let text = MessageSamples.creditTransfers.replacing(written, with: comment)
      #expect(throws: Never.self) { try PaymentMessage.read(Data(text.utf8)) }
    }
  }
}
