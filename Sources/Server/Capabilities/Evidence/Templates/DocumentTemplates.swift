// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

/// The templates that pages are read by: those of the program, and an operator's own.
package struct DocumentTemplates: Codable, Equatable, Sendable {
  /// Of templates that fit a page equally well the first is taken.
  package private(set) var all: [VisualTemplate]

  /// The templates of the program alone: a passport's data page and a card's front after Doc 9303, licences after
  /// ISO/IEC 18013-1 and after AAMVA's card design standard.
  package static let ofProgram: DocumentTemplates = {
    let files: [(String, [UInt8])] = [
      ("icao-passport.json", PackageResources.icao_passport_json),
      ("icao-td1-front.json", PackageResources.icao_td1_front_json),
      ("iso-18013-licence.json", PackageResources.iso_18013_licence_json),
      ("aamva-licence.json", PackageResources.aamva_licence_json),
    ]
    do {
      return DocumentTemplates(all: try files.map { try TemplateFile.read(Data($0.1), file: $0.0) })
    } catch { preconditionFailure("the templates of the program are right: \(error)") }
  }()

  private init(all: [VisualTemplate]) { self.all = all }

  private static let ownMax = 200

  /// The program's templates and those of a folder's files `*.json`. A file with the name of one of the program's
  /// templates takes its place; all others stand before the program's, in the order of their files' names.
  ///
  /// - Throws: `TemplateFault` that names the first file that is wrong, or the folder when it cannot be read.
  package init(folder: String) throws {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }.sorted()
    } catch { throw TemplateFault(file: folder, reason: "the folder cannot be read") }
    guard names.count <= Self.ownMax else {
      throw TemplateFault(file: folder, reason: "the folder holds more than \(Self.ownMax) templates")
    }
    var own: [VisualTemplate] = []
    for name in names {
      guard let bytes = FileManager.default.contents(atPath: folder + "/" + name) else {
        throw TemplateFault(file: name, reason: "it cannot be read")
      }
      let template = try TemplateFile.read(bytes, file: name)
      guard !own.contains(where: { $0.name == template.name }) else {
        throw TemplateFault(file: name, reason: "another file has the name \(template.name) too")
      }
      own.append(template)
    }
    let replaced = Dictionary(uniqueKeysWithValues: own.map { ($0.name, $0) })
    let ofProgram = Self.ofProgram.all.map { replaced[$0.name] ?? $0 }
    let known = Set(ofProgram.map(\.name))
    all = own.filter { !known.contains($0.name) } + ofProgram
  }

  package subscript(_ name: String) -> VisualTemplate? { all.first { $0.name == name } }

  /// The templates that a document of a state may have; all of them when the state is not known.
  func of(state: String?) -> [VisualTemplate] {
    guard let state else { return all }
    return all.filter { $0.issuingStates.isEmpty || $0.issuingStates.contains(state) }
  }
}
