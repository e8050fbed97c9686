// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// The first line is the Content-Type field, what follows is the body.
func fuzz(_ bytes: Data) {
  let end = bytes.firstIndex(of: 10) ?? bytes.endIndex
  let content = RequestContent(bytes: Data(bytes[end...].dropFirst()), contentType: text(Data(bytes[..<end])))
  do {
    let form = try MultipartForm(content)
    _ = form.text("photo")
    try form.refuseParts(except: ["photo"])
  } catch {
    precondition(error is Problem)
  }
  _ = BasicCredentials(authorization: content.contentType)
  do { _ = try FormFields(bytes: content.bytes) } catch { precondition(error is Problem) }
}
