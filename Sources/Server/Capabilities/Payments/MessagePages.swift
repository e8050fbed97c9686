// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The pages of a message, one after the other, each of which is read when it is asked for (decision 181).
///
/// A digest of each chunk of the first reading is kept. A file that is changed afterwards is found by them before a page
/// of it is given out, so that only what was checked with the whole message is booked.
package struct MessagePages {
  private let file: MessageFile
  private let limit: MessagePage.Limit
  private var chunks: [Int] = []
  /// The place of the first part that is not read yet.
  private var next = 0
  /// Parts of the whole message.
  private var count = 0

  package init(_ file: MessageFile, limit: MessagePage.Limit = .standard) {
    (self.file, self.limit) = (file, limit)
  }

  /// Reads and checks the whole message.
  /// - Parameter seen: gets all bytes of the file.
  /// - Throws: as `PaymentMessage.read`.
  package mutating func first(seen: (Data) -> Void = { _ in }) throws(MessageFault) -> MessagePage {
    var digests: [Int] = []
    let page = try PaymentMessage.page(of: file, limit: limit) { chunk in
      digests.append(Self.digest(of: chunk))
      seen(chunk)
    }
    (chunks, next, count) = (digests, page.next, page.count)
    return page
  }

  /// Reads the page behind the one that was read last.
  /// - Returns: nil behind the last page.
  /// - Throws: `MessageFault.changed` when the file is not what it was; `MessageFault.unreadable`.
  package mutating func following() throws(MessageFault) -> MessagePage? {
    guard next < count else { return nil }
    var (place, isChanged) = (0, false)
    let read = Result { () throws(MessageFault) in
      try PaymentMessage.page(of: file, from: next, limit: limit) { chunk in
        // At its end a file is read once more, for nothing.
        isChanged = isChanged || (place < chunks.count ? Self.digest(of: chunk) != chunks[place] : !chunk.isEmpty)
        place += 1
      }
    }
    // What is not the same any more has faults that the message did not have.
    guard !isChanged else { throw MessageFault.changed }
    let page = try read.get()
    guard page.next > next else { throw MessageFault.changed }
    next = page.next
    return page
  }

  private static func digest(of chunk: Data) -> Int {
    // All of it: the hash of `Data` is that of its beginning.
    var hasher = Hasher()
    chunk.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}
