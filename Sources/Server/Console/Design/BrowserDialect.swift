// SPDX-License-Identifier: Apache-2.0

import HTTP
import Hummingbird
import Kit

/// What a browser is told at an address that no part of the server has, on a page. Programs are told as ever.
package struct BrowserDialect: Dialect {
  private let programs: any Dialect

  /// - Parameter programs: for clients that ask for no page.
  package init(otherwise programs: any Dialect) { self.programs = programs }

  package func response(for problem: Problem, path: String, correlationID: String) -> Response {
    guard Display.current.asksForPage, problem == .notFound,
      let page = try? NothingPage().response(status: problem.status)
    else { return programs.response(for: problem, path: path, correlationID: correlationID) }
    return page
  }
}

/// Nothing is at this address.
struct NothingPage: Page {
  static var template: [UInt8] { PackageResources.UploadProblemPage_mustache }

  let title = Phrase("title_nothing")
  let text = Phrase("page_nothing")
}

/// What a device shows until its link is allowed where it was shown.
package struct LinkApprovalPage: Page {
  package static var template: [UInt8] { PackageResources.LinkApprovalPage_mustache }
  package static var scripts: [Asset] { [.again] }

  /// Without what its script asked.
  let path = (Display.current.path ?? "").replacing("&look=1", with: "")

  package init() {}
}
