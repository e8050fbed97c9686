// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where the reading engines find their data, and how much they may do at once.
package struct EvidenceSettings: Codable, Sendable {
  package var limits = ImageLimits()
  /// Images in work at once, each on its own thread.
  package var concurrencyMax = 2
  /// Images that may wait for a place before callers are told to come again.
  package var waitingMax = 64
  /// How long a picture for which a client waits may wait for a place before the client is told to come again.
  package var patience = Duration.seconds(10)
  /// Folder of Tesseract's `.traineddata`; nil for Tesseract's own.
  package var tesseractFolder: String?
  package var tesseractLanguage = "eng"
  /// Folders searched for OpenCV's Haar cascades; nil for the usual ones of Debian.
  package var cascadeFolders: [String]?
  /// What pages are read by.
  package var templates = DocumentTemplates.ofProgram
  package var documentThresholds = QualityThresholds.document
  package var faceThresholds = QualityThresholds.face
  /// Pupils must be this many pixels apart in a selfie (identity-documents §8.4).
  package var selfieEyesMin = 60.0

  package init() {}

  /// Where the engines' files are: the chosen folders, and the one that Tesseract's own variable names.
  var folders: [String] {
    [tesseractFolder, ProcessInfo.processInfo.environment["TESSDATA_PREFIX"]].compactMap(\.self)
      + (cascadeFolders ?? [])
  }
}
