// SPDX-License-Identifier: Apache-2.0

import Foundation
import WultraWire
import Testing
import WultraPowerAuthNetworking

@testable import WultraDigitalOnboarding

@Suite("Onboarding app: documents")
struct DocumentTests {
  private func state(
    _ id: String, _ type: Wultra.DocumentType, _ side: Wultra.DocumentSide, errors: [String]? = nil
  ) -> Wultra.DocumentState {
    Wultra.DocumentState(
      filename: "f", id: id, type: type, side: side, status: .verificationPending, errors: errors)
  }

  @Test("the choice survives as text, each document once; other texts are no choice")
  func selection() {
    let chosen = SelectedDocuments([.idCard, .driversLicense, .idCard])
    #expect(chosen.text == "v1:idCard,driversLicense")
    #expect(SelectedDocuments(text: chosen.text) == chosen)
    #expect(SelectedDocuments(text: "v1:passport,visa,")?.types == [.passport])
    #expect(SelectedDocuments(text: "v1:")?.types == [])
    #expect(SelectedDocuments(text: "v2:idCard") == nil && SelectedDocuments(text: "") == nil)
  }

  @Test("the next document is the first that is not sent, or was refused, in the order of choice")
  func next() {
    #expect(WDOVerificationScanProcess([.passport, .idCard]).nextDocumentToScan?.type == .passport)
    let process = WDOVerificationScanProcess(
      [.passport, .idCard, .driversLicense],
      states: [
        state("1", .passport, .front), state("2", .idCard, .front, errors: ["Error verifying the document."]),
        state("3", .selfiePhoto, .front), state("4", .idCard, .init(rawValue: "EDGE")),
        state("5", .init(rawValue: "VISA"), .front),
      ])
    #expect(process.documents.map(\.uploadState) == [.accepted, .rejected, .notUploaded])
    #expect(process.nextDocumentToScan?.type == .idCard)
    #expect(process.documents[1].sides.map(\.serverId) == ["2"])
    // One side of two counts, as it always did.
    let half = WDOVerificationScanProcess([.idCard], states: [state("1", .idCard, .back)])
    #expect(half.nextDocumentToScan == nil)
  }

  @Test("a picture of a side that the server has replaces it, one of another side does not")
  func replacement() {
    let process = WDOVerificationScanProcess([.idCard], states: [state("7", .idCard, .front, errors: ["e"])])
    let document = process.documents[0]
    #expect(document.createFileForUpload(side: .front, data: Data([1])).originalDocumentId == "7")
    #expect(document.createFileForUpload(side: .back, data: Data([1])).originalDocumentId == nil)
    #expect(
      WDODocumentFile(scannedDocument: document, data: Data(), side: .front, dataSignature: "s").dataSignature == "s")
  }

  @Test("pictures are equal by document and side")
  func equality() {
    func file(_ type: WDODocumentType, _ side: WDODocumentSide, _ byte: UInt8) -> WDODocumentFile {
      WDODocumentFile(data: Data([byte]), type: type, side: side, originalDocumentId: nil)
    }
    #expect(file(.idCard, .front, 1) == file(.idCard, .front, 2))
    #expect(Set([file(.idCard, .front, 1), file(.idCard, .back, 1), file(.idCard, .front, 3)]).count == 2)
    #expect(file(.driversLicense, .front, 1).fileName == "driverslicense_front.jpg")
    #expect(WDODocumentType.allCases.map(\.sides) == [[.front, .back], [.front], [.front]])
  }

  private let folder = UUID(uuidString: "00000000-0000-4000-8000-000000000001") ?? UUID()

  private func picture(
    _ type: WDODocumentType, _ side: WDODocumentSide, _ data: Data, id: String? = nil
  ) -> DocumentPicture {
    DocumentPicture(WDODocumentFile(data: data, type: type, side: side, originalDocumentId: id))
  }

  @Test("pictures are sent in an archive, in a folder, each with its name, document and side")
  func archive() throws {
    let front = Data((0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    let submission = try DocumentArchive.submission(
      of: [picture(.idCard, .front, front), picture(.idCard, .back, Data()), picture(.passport, .front, Data([9]))],
      process: "p", folder: folder)
    let name = "00000000-0000-4000-8000-000000000001"
    #expect(
      submission.documents.map(\.filename)
        == ["\(name)/idcard_front.jpg", "\(name)/idcard_back.jpg", "\(name)/passport_front.jpg"])
    #expect(submission.documents.map(\.type) == [.idCard, .idCard, .passport])
    #expect(submission.documents.map(\.side) == [.front, .back, .front])
    #expect(!submission.resubmit && submission.processId == "p")
    let entries = try StoredZip.entries(of: #require(submission.data))
    #expect(entries.map(\.name) == submission.documents.map(\.filename))
    #expect(entries.map(\.bytes) == [front, Data(), Data([9])])
    #expect(entries.allSatisfy { $0.crc == $0.centralCRC })
    // "123456789" is the check value of the algorithm.
    #expect(CRC32.of(Data("123456789".utf8)) == 0xcbf4_3926)
    #expect(entries[0].crc == CRC32.of(front))
  }

  @Test("one picture with an id makes it a resubmission; signatures by libraries are not sent")
  func resubmission() throws {
    let submission = try DocumentArchive.submission(
      of: [picture(.idCard, .front, Data([1]), id: "7"), picture(.passport, .front, Data([2]))], process: "p",
      folder: folder)
    #expect(submission.resubmit && submission.documents.map(\.originalDocumentId) == ["7", nil])
  }

  @Test("nothing, and two pictures of one side, are not sent")
  func refused() {
    for pictures in [[], [picture(.idCard, .front, Data([1])), picture(.idCard, .front, Data([2]))]] {
      #expect {
        try DocumentArchive.submission(of: pictures, process: "p", folder: folder)
      } throws: { ($0 as? WPNError)?.reason == .network_invalidRequestObject }
    }
  }

  @Test("requirements are met by enough different documents with a primary one among them")
  func requirements() {
    let requirements = WDODocumentRequirements(
      Wultra.DocumentRequirements(primary: [.idCard, .init(rawValue: "VISA")], distinctCount: 2))
    #expect(requirements.primary == [.idCard])
    #expect(requirements.areMet(by: [.idCard, .passport]) && requirements.areMet(by: [.driversLicense, .idCard]))
    #expect(!requirements.areMet(by: [.idCard, .idCard]) && !requirements.areMet(by: [.passport, .driversLicense]))
  }
}

/// Reads an archive of stored files by its directory, as APPNOTE 6.3.10 §4.3 has it.
enum StoredZip {
  struct Entry { let name: String, bytes: Data, crc: UInt32, centralCRC: UInt32 }

  static func entries(of archive: Data) throws -> [Entry] {
    let bytes = [UInt8](archive)
    func number(_ at: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
    }
    let end = bytes.count - 22
    try #require(number(end, 4) == 0x0605_4b50)
    var at = number(end + 16, 4)
    try #require(at + number(end + 12, 4) == end)
    return try (0..<number(end + 10, 2)).map { _ in
      try #require(number(at, 4) == 0x0201_4b50 && number(at + 10, 2) == 0)
      let (size, nameLength, local) = (number(at + 24, 4), number(at + 28, 2), number(at + 42, 4))
      try #require(number(local, 4) == 0x0403_4b50 && number(local + 18, 4) == size)
      let start = local + 30 + number(local + 26, 2) + number(local + 28, 2)
      defer { at += 46 + nameLength }
      return Entry(
        name: String(decoding: bytes[(at + 46)..<(at + 46 + nameLength)], as: UTF8.self),
        bytes: Data(bytes[start..<(start + size)]), crc: UInt32(number(local + 14, 4)),
        centralCRC: UInt32(number(at + 16, 4)))
    }
  }
}
