// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Evidence
import Foundation
import GatehouseApp
import Screening

/// What an operator does with the models that compare faces.
struct FacesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "faces", abstract: "Calibrate the comparison of faces on pairs of your own (docs/faces.md).",
    subcommands: [Calibrate.self])

  struct Calibrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "calibrate",
      abstract: "Say which threshold has which error rates on pairs of pictures whose truth is known.",
      discussion: """
        The table is a CSV with the columns portrait, selfie and same: two files, seen from the table's folder, and \
        yes where both show one person, else no. Nothing is stored or sent, and no file is named in the output. \
        Leaves with 1 when the pairs are too few for the rate that was asked for.
        """)

    @OptionGroup var installation: InstallationOptions

    @Argument(help: "The table of pairs.")
    var table: String

    @Option(help: "Folder of ONNX models (default: the setting models).")
    var models: String?

    @Option(help: "The false match rate that is wanted, as in 0.0001.")
    var fmr = 0.0001

    @Option(help: "The false non-match rate below which two people are told apart, as in 0.001.")
    var fnmr = 0.001

    @OptionGroup var output: OutputOptions

    func validate() throws {
      guard (1e-7...0.5).contains(fmr), (1e-7...0.5).contains(fnmr) else {
        throw ValidationError("--fmr and --fnmr are between 0.0000001 and 0.5")
      }
    }

    func run() async throws {
      let pairs = try FacePairs(table: table)
      let folder = try await modelsFolder()
      let files = try ModelFolder(folder)
      guard files.detector != nil, files.recogniser != nil else {
        throw CommandFailure.notFound("\(folder) has no face_detection_yunet*.onnx or no face_recognition_sface*.onnx")
      }
      let port = try FaceComparison.openCV(folder: files, queue: EvidenceQueue(concurrencyMax: 1))
      var scores = FaceScores()
      for (number, pair) in pairs.list.enumerated() {
        let (portrait, selfie) = try pair.pictures()
        do {
          let result = try await port.compare(FaceImage(portrait, .portrait), FaceImage(selfie, .selfie))
          scores.add(result, isSame: pair.isSame)
        } catch is ImageProblem { scores.addUnreadable() }
        if (number + 1) % 100 == 0 {
          StandardError.write("\(number + 1) of \(pairs.list.count) pairs\n")
        }
      }
      let report = CalibrationReport(scores, model: files.recogniser ?? "", fmr: fmr, fnmr: fnmr)
      print(output.json ? CommandJSON.escaped(try report.json()) : report.text)
      guard report.isEnough else { throw ExitCode.refused }
    }

    private func modelsFolder() async throws -> String {
      if let models { return models }
      guard let folder = try await installation.settings().modelsFolder else {
        throw ValidationError("--models names the folder of models, or the setting models does")
      }
      return folder
    }
  }
}

/// The pairs of a table.
struct FacePairs {
  struct Pair {
    let portrait: String
    let selfie: String
    let isSame: Bool
    let line: Int

    /// - Throws: `ValidationError` that names the line, not the file: file names may be people's.
    func pictures() throws -> (Data, Data) {
      guard let left = FileManager.default.contents(atPath: portrait),
        let right = FileManager.default.contents(atPath: selfie)
      else { throw CommandFailure.notFound("line \(line): a picture cannot be read") }
      return (left, right)
    }
  }

  let list: [Pair]

  /// - Throws: `ValidationError` that says what is wrong with the table.
  init(table: String) throws {
    guard let bytes = FileManager.default.contents(atPath: table) else {
      throw CommandFailure.notFound("cannot read \(table)")
    }
    let csv: CSV
    do { csv = try CSV(bytes) } catch { throw CommandFailure.refused("\(table) is no CSV: \(error)") }
    for column in ["portrait", "selfie", "same"] where !csv.columns.contains(column) {
      throw CommandFailure.refused("\(table) has no column \(column)")
    }
    let folder = URL(fileURLWithPath: table).deletingLastPathComponent()
    list = try csv.rows.map { row in
      guard let isSame = ["yes": true, "no": false][row["same"].lowercased()] else {
        throw CommandFailure.refused("line \(row.line): same is yes or no")
      }
      return Pair(
        portrait: URL(fileURLWithPath: row["portrait"], relativeTo: folder).path,
        selfie: URL(fileURLWithPath: row["selfie"], relativeTo: folder).path, isSame: isSame, line: row.line)
    }
    guard !list.isEmpty else { throw CommandFailure.refused("\(table) has no pairs") }
  }
}

/// What the pairs came to.
struct FaceScores {
  private(set) var mated: [Double] = []
  private(set) var nonMated: [Double] = []
  /// Pairs in which no two faces were compared, by why.
  private(set) var failures: [String: Int] = [:]

  mutating func add(_ result: FaceComparisonResult, isSame: Bool) {
    guard let score = result.score else {
      failures[result.code?.rawValue ?? "no-score", default: 0] += 1
      return
    }
    if isSame { mated.append(score) } else { nonMated.append(score) }
  }

  mutating func addUnreadable() { failures["not-decodable", default: 0] += 1 }
}
