// SPDX-License-Identifier: Apache-2.0

import CCodecs
import Foundation
import TestSupport
import Testing

@testable import Evidence

@Suite("Evidence: the header reader beside libjpeg and libpng")
struct HeaderFuzzTests {
  /// Mutated files of each format. `GATEHOUSE_FUZZ=100000` asks for a long run.
  private static let count = ProcessInfo.processInfo.environment["GATEHOUSE_FUZZ"].flatMap { Int($0) } ?? 2500
  private static let seed = ProcessInfo.processInfo.environment["GATEHOUSE_FUZZ_SEED"].flatMap { UInt64($0) } ?? 24

  @Test(
    "they find the same in whole files of every kind, and so does the decoder", arguments: [ImageFormat.jpeg, .png])
  func wholeFiles(format: ImageFormat) throws {
    for (number, kind) in PictureKind.all(of: format).enumerated() {
      let seen = HeaderComparison(kind.file, format)
      #expect(seen.library.whole == (kind.isWhole ? 1 : 0), "file \(number)")
      #expect((seen.header != nil) == kind.isTaken && seen.disagreement == nil, "file \(number)")
      #expect(seen.header.map { $0.isWhole && $0.orientation == kind.orientation } ?? true, "file \(number)")
      #expect(seen.isDecoded == (kind.isTaken && kind.isWhole), "file \(number)")
    }
  }

  @Test("they never disagree about a mutated file", arguments: [ImageFormat.jpeg, .png])
  func mutatedFiles(format: ImageFormat) throws {
    let files = PictureKind.all(of: format).map(\.file)
    var mutator = FileMutator(random: SeededGenerator(seed: Self.seed), isPNG: format == .png, others: files)
    var (whole, refused) = (0, 0)
    for number in 0..<Self.count {
      let bytes = mutator.mutated(files[number % files.count])
      let seen = HeaderComparison(bytes, format)
      if let disagreement = seen.disagreement {
        Issue.record("file \(number): \(disagreement): \(Data(bytes).base64EncodedString())")
      }
      whole += seen.isDecoded ? 1 : 0
      refused += seen.header == nil ? 1 : 0
    }
    // The mutations are neither all harmless nor all fatal.
    #expect(whole > Self.count / 40 && refused > Self.count / 20)
  }
}

/// One file as the header reader, the library and the decoder see it.
struct HeaderComparison {
  let header: ImageHeader?
  let library: codecs_finding
  let isDecoded: Bool
  /// What they do not agree on; nil when they agree.
  private(set) var disagreement: String?

  /// Larger pictures are not decoded here.
  private static let pixelsMax = 300_000

  init(_ bytes: [UInt8], _ format: ImageFormat) {
    let data = Data(bytes)
    let isOfFormat = ImageFormat(sniffing: data) == format
    header = isOfFormat ? ImageHeader(data, format: format) : nil
    library =
      format == .jpeg
      ? codecs_find_jpeg(bytes, bytes.count, Self.pixelsMax) : codecs_find_png(bytes, bytes.count, Self.pixelsMax)
    isDecoded =
      header.map { header in
        header.width.multipliedReportingOverflow(by: header.height).partialValue <= Self.pixelsMax
          && (try? Frame(decoding: data, format: format, header: header)) != nil
      } ?? false
    disagreement = isOfFormat ? compared(bytes, format) : nil
  }

  private func compared(_ bytes: [UInt8], _ format: ImageFormat) -> String? {
    let found = [library.width, library.height, library.components, library.depth, library.scans].map(Int.init)
    if let header {
      let read = [header.width, header.height, header.components, header.depth, header.scans]
      // The scans of a JPEG are known at its end only.
      let isComparable = library.decoded == 1 || format == .png ? 5 : 4
      if library.opened == 1, read.prefix(isComparable) != found.prefix(isComparable) {
        return "read \(read), found \(found)"
      }
      if library.whole == 1, !isDecoded { return "the library decodes \(found), the server does not" }
      if library.decoded == 0, isDecoded { return "the server decodes \(read), the library does not" }
    }
    if header?.isWhole != true, library.whole == 1, Self.isTaken(library, bytes, format) {
      return "the library decodes \(found), the header reader refuses it"
    }
    return nil
  }

  /// Kinds that are refused whatever libraries make of them.
  private static func isTaken(_ found: codecs_finding, _ bytes: [UInt8], _ format: ImageFormat) -> Bool {
    switch format {
    case .jpeg: found.arithmetic == 0 && [1, 3, 4].contains(found.components)
    // libpng lets chunks that it does not know stand before the header.
    case .png: bytes[12..<16].elementsEqual("IHDR".utf8)
    }
  }
}
