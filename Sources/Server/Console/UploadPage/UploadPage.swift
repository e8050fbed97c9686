// SPDX-License-Identifier: Apache-2.0

import Kit

/// The page of the second phone: what to photograph, and how far that is. Works without script, which only shows
/// previews, makes large photos smaller and shows progress.
struct UploadPage: Page {
  static var template: [UInt8] { PackageResources.UploadPage_mustache }
  static var scripts: [Asset] { [.upload] }
  static var pictures: String? { "blob:" }

  struct Row {
    let name: String
    let title: Phrase
    let guide: Phrase
    let action: String
    /// One of these is what the template shows.
    let (isMissing, isUploaded, isAccepted, isRefused): (Bool, Bool, Bool, Bool)
    let isOptional: Bool
    let isOpen: Bool
    let reason: Phrase?
    /// What was wrong with the photo that was just sent.
    let problem: Phrase?
    let (showsScreen, showsBack, showsBill): (Bool, Bool, Bool)
    let button: Phrase
  }

  let heading: Phrase
  let rows: [Row]
  /// Whether the photos are in, and wait for a review.
  let isDone: Bool
  /// Whether they were looked at and taken.
  let isAccepted: Bool
  let isOver: Bool
  let isOpen: Bool
  let (takenCount, neededCount): (Int, Int)
  let progress: Phrase
  /// Whether the photo that was just sent was taken.
  let wasRefused: Bool

  /// - Parameter problem: of the photo that was just sent.
  init(_ view: UploadPageService.View, token: String, problem: (name: String, text: Phrase)? = nil) {
    heading = Phrase("upload_heading", ["device": view.device])
    // When nothing is to be taken any more, what was never asked for in earnest is not missing.
    let shown = view.photos.filter { !view.isDone || $0.isMandatory || $0.state != .missing }
    rows = shown.map { photo in
      Row(
        name: photo.name, title: Phrase("upload_\(photo.name.lowercased())_title", otherwise: photo.title),
        guide: Phrase("upload_\(photo.name.lowercased())_guide", otherwise: photo.guide),
        action: "/u/\(token)/\(photo.name)",
        isMissing: photo.state == .missing, isUploaded: photo.state == .uploaded,
        isAccepted: photo.state == .accepted, isRefused: photo.state == .refused, isOptional: !photo.isMandatory,
        isOpen: photo.isOpen, reason: photo.reason.map(Phrase.init(plain:)),
        problem: problem.flatMap { $0.name == photo.name ? $0.text : nil },
        showsScreen: photo.name == "SCREEN_IMAGE", showsBack: photo.name == "BACK_IMAGE",
        showsBill: photo.name == "INVOICE_IMAGE",
        button: Phrase(photo.state == .missing ? "upload_send" : "upload_send_another"))
    }
    let needed = view.photos.filter(\.isMandatory)
    neededCount = needed.count
    takenCount = needed.count { $0.state == .uploaded || $0.state == .accepted }
    progress = Phrase("upload_progress", ["taken": "\(takenCount)", "needed": "\(neededCount)"])
    (isAccepted, isOver, isOpen) = (view.isAccepted && !view.isOver, view.isOver, !view.isDone)
    isDone = view.isDone && !view.isOver && !view.isAccepted
    wasRefused = problem != nil
  }
}

/// Why there is no page behind a link.
struct UploadProblemPage: Page {
  static var template: [UInt8] { PackageResources.UploadProblemPage_mustache }

  let title: Phrase
  let text: Phrase
}
